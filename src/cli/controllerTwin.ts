import type { StoredController } from '../storage/controllers.js';
import { seeCertificate } from './controllerCertificate.js';
import { addressOf } from './controllerNamed.js';
import { CommandError } from './io.js';
import { quoted } from './shellWord.js';

export interface TwinOptions {
  /** The controller as it is to be stored. */
  readonly name: string;
  readonly settings: StoredController['settings'];
  /** The other controllers. */
  readonly others: readonly StoredController[];
  /** Store it all the same. */
  readonly force: boolean;
  readonly deadlineMs: number;
}

/** Nobody waits long for a console that is only looked at. */
const maxLookMs = 3000;

/**
 * Finds out which console is behind an address, and refuses one that is stored already: by its address, or by its
 * certificate, whatever the name or the API that leads to it. Returns what to know it by; null when nobody answers.
 */
export const identifyConsole = async (options: TwinOptions): Promise<string | null> => {
  const { name, settings, others, force, deadlineMs } = options;
  const address = addressOf({ settings });
  if (address === undefined) return null;
  const identity =
    cloudConsoleOf(address) ??
    (await seeCertificate(name, address, Math.min(deadlineMs, maxLookMs)).then(
      ({ fingerprint }) => fingerprint,
      () => null,
    ));
  const known = [identity, settings['fingerprint']];
  for (const other of others) {
    const same = isSameAddress(address, addressOf(other))
      ? 'address'
      : [other.identity, other.settings['fingerprint']].some((one) => one != null && known.includes(one))
        ? 'certificate'
        : undefined;
    if (same === undefined || force) continue;
    throw new CommandError(
      `it is the console of ${quoted(other.name)}, by its ${same}: one console is one controller, which may have many sites. If it is another console all the same: --force`,
    );
  }
  return identity;
};

/** The cloud shows the same certificate for all consoles, and names the console in the address. */
const cloudConsoleOf = (address: string): string | undefined =>
  /\/v1\/connector\/consoles\/([^/]+)/.exec(new URL(address).pathname)?.[1];

const isSameAddress = (address: string, other: string | undefined): boolean =>
  other !== undefined && normalised(address) === normalised(other);

const normalised = (address: string): string => new URL(address).href.replace(/(?<!\/)\/+$/, '');
