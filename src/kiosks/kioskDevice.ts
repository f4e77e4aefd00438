import type { BrowserTokens } from '../secrets/browserTokens.js';
import { kioskDeviceBinding } from '../secrets/encryption.js';
import type { System } from '../lib/system.js';

/** Browsers of guests, told apart by a sealed id that each keeps in a cookie. Nothing is stored of them. */
export interface KioskDevices {
  /** The id in a cookie; undefined where it is absent or not ours. */
  read(sealed: string | undefined): string | undefined;
  /** A new cookie. */
  create(): Promise<string>;
}

const idBytes = 16;

export const makeKioskDevices = (tokens: BrowserTokens, system: System): KioskDevices => ({
  read: (sealed) => (sealed === undefined ? undefined : tokens.open(sealed, kioskDeviceBinding)),
  create: () => tokens.seal(system.randomBytes(idBytes).toString('base64url'), kioskDeviceBinding),
});
