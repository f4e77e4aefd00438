import { Refusal } from '../errors/problem.js';
import type { System } from '../lib/system.js';
import { writeWithCurrentKey, type ResealAll } from './rotation.js';
import { openStoredSecrets, type SecretKeySource } from './secretKey.js';
import { SecretError, type Binding, type Secrets } from './encryption.js';

/**
 * Writes sealed values. If a rotation replaces the key in the meantime,
 * they are sealed again with the new one.
 */
export interface RotationSafeWriter {
  /**
   * Refuses a key that does not open what is sealed already: neither key would open everything afterwards.
   */
  write<T>(work: (secrets: Secrets) => Promise<T>): Promise<T>;
  /** For values that replace ones that the key may no longer open. */
  replace<T>(work: (secrets: Secrets) => Promise<T>): Promise<T>;
}

/** A stored value, and what it is bound to. */
export interface SealedValue {
  readonly value: string;
  readonly binding: Binding;
}

interface SealedSource {
  withBindings(): Promise<readonly SealedValue[]>;
  readonly reseal: ResealAll;
}

export const makeRotationSafeWriter = (
  source: SecretKeySource,
  sealed: SealedSource,
  system: System,
): RotationSafeWriter => {
  const writeSealed = <T>(
    stored: readonly SealedValue[],
    work: (secrets: Secrets) => Promise<T>,
  ): Promise<T> =>
    // A new key must not take the place of a missing one.
    writeWithCurrentKey(source, { reseal: sealed.reseal, mayCreate: stored.length === 0 }, work, system);
  return {
    write: async (work) => {
      const stored = await sealed.withBindings();
      if (stored.length > 0) {
        const { open } = openStoredSecrets(source, system);
        if (!stored.every(({ value, binding }) => canOpen(open, value, binding)))
          throw new Refusal(
            'secret-key-wrong',
            'what is stored was sealed with another key or for another address: `voucherd doctor` says which',
          );
      }
      return writeSealed(stored, work);
    },
    replace: async (work) => writeSealed(await sealed.withBindings(), work),
  };
};

export const canOpen = (open: Secrets['open'], sealed: string, binding: Binding): boolean => {
  try {
    open(sealed, binding);
    return true;
  } catch (error) {
    if (error instanceof SecretError) return false;
    throw error;
  }
};
