import { scrypt } from 'node:crypto';
import { CodedError } from '../errors/codedError.js';
import type { System } from '../lib/system.js';
import { makeSecrets, type Binding, type Secrets } from './encryption.js';

/** How a key is derived from a pass phrase; stored beside what is sealed with it. */
export interface PassPhraseSealing {
  readonly salt: Buffer;
  /** The binary logarithm of scrypt's cost. */
  readonly cost: number;
  /** A sealed constant, which tells a wrong pass phrase from a changed value. */
  readonly check: string;
}

/** The pass phrase is not the one that a file was sealed with. */
export class WrongPassPhrase extends CodedError<'wrong-pass-phrase'> {
  override readonly name = 'WrongPassPhrase';

  constructor() {
    super('wrong-pass-phrase', 'the pass phrase is not the one that it was sealed with', { kind: 'invalid' });
  }
}

/** 128 MiB and half a second of processor time: an attacker has the file, and all the time in the world. */
const defaultCost = 17;
const maxCost = 18;
const [saltBytes, keyBytes, blockSize] = [16, 32, 8];
const maxMemoryBytes = 512 * 1024 * 1024;

export const minPassPhraseLength = 12;

const checkBinding: Binding = JSON.stringify(['pass-phrase', 'check']);

/** Can a key be derived with this cost? One from a file must not take all memory. */
export const isAllowedCost = (cost: number): boolean => Number.isInteger(cost) && cost > 0 && cost <= maxCost;

/** Begins to seal with a pass phrase. */
export const sealWithPassPhrase = async (
  passPhrase: string,
  system: System,
  cost = defaultCost,
): Promise<{ readonly secrets: Secrets; readonly sealing: PassPhraseSealing }> => {
  const salt = Buffer.from(system.randomBytes(saltBytes));
  const secrets = makeSecrets(await deriveKey(passPhrase, salt, cost), system);
  return { secrets, sealing: { salt, cost, check: secrets.seal('', checkBinding) } };
};

/** Opens what was sealed with a pass phrase. Throws `WrongPassPhrase`. */
export const openWithPassPhrase = async (
  passPhrase: string,
  { salt, cost, check }: PassPhraseSealing,
  system: System,
): Promise<Secrets> => {
  const secrets = makeSecrets(await deriveKey(passPhrase, salt, cost), system);
  try {
    secrets.open(check, checkBinding);
  } catch {
    throw new WrongPassPhrase();
  }
  return secrets;
};

const deriveKey = (passPhrase: string, salt: Buffer, cost: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // The same characters may be typed in several ways.
    const text = passPhrase.normalize('NFKC');
    const options = { N: 2 ** cost, r: blockSize, p: 1, maxmem: maxMemoryBytes };
    scrypt(text, salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
