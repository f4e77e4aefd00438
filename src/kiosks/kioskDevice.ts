import { kioskDeviceBinding, SecretError, type Secrets } from '../secrets/encryption.js';
import type { RotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import type { System } from '../lib/system.js';

/** Browsers of guests, told apart by a sealed id that each keeps in a cookie. Nothing is stored of them. */
export interface KioskDevices {
  /** The id in a cookie; undefined where it is absent or not ours. */
  read(sealed: string | undefined): string | undefined;
  /** A new cookie. */
  create(): Promise<string>;
}

interface KioskDevicesDeps {
  readonly system: System;
  secrets(): Secrets;
  readonly writeSealed: RotationSafeWriter['replace'];
}

const idBytes = 16;

export const makeKioskDevices = ({ system, secrets, writeSealed }: KioskDevicesDeps): KioskDevices => ({
  read: (sealed) => {
    if (sealed === undefined) return undefined;
    try {
      return secrets().open(sealed, kioskDeviceBinding);
    } catch (error) {
      if (error instanceof SecretError) return undefined;
      throw error;
    }
  },
  create: async () => {
    const id = system.randomBytes(idBytes).toString('base64url');
    const seal = (current: Secrets): string => current.seal(id, kioskDeviceBinding);
    try {
      return seal(secrets());
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      // Nothing was sealed yet, so there is no key.
      return writeSealed(async (current) => seal(current));
    }
  },
});
