import { fetchCertificate } from './https/certificate.js';
import { controllerAddressOf } from './https/settings.js';
import { Refusal } from '../errors/problem.js';
import type { StoredController } from './controllerTable.js';

interface IdentifyConsoleOptions {
  /** Name and settings of the controller to be stored. */
  readonly name: string;
  readonly settings: StoredController['settings'];
  /** The other controllers. */
  readonly others: readonly StoredController[];
  /** Accept a console that is stored already. */
  readonly force: boolean;
  readonly deadlineMs: number;
}

/** Identifying is optional, so it does not wait for the whole deadline of a controller. */
const maxIdentifyMs = 3000;

/**
 * Identifies the console behind an address, and refuses one that another controller uses already:
 * it has the same address or the same certificate. Returns what identifies it; null when it does not answer.
 */
export const identifyConsole = async (options: IdentifyConsoleOptions): Promise<string | null> => {
  const { name, settings, others, force, deadlineMs } = options;
  const address = controllerAddressOf({ settings });
  if (address === undefined) return null;
  const identity =
    cloudConsoleOf(address) ??
    // A database shows no certificate before it is spoken to.
    (address.startsWith('https:')
      ? await fetchCertificate({ name, address, deadlineMs: Math.min(deadlineMs, maxIdentifyMs) }).then(
          ({ fingerprint }) => fingerprint,
          () => null,
        )
      : null);
  const known = [identity, settings['fingerprint']];
  for (const other of others) {
    const same = isSameAddress(address, controllerAddressOf(other))
      ? 'address'
      : [other.identity, other.settings['fingerprint']].some(
            (value) => value != null && known.includes(value),
          )
        ? 'certificate'
        : undefined;
    if (same === undefined || force) continue;
    throw new Refusal(
      'console-known',
      `it is the console of "${other.name}", by its ${same}: one console is one controller, which may have many sites`,
    );
  }
  return identity;
};

/** In the cloud all consoles have the same certificate; the address names the console. */
const cloudConsoleOf = (address: string): string | undefined =>
  /\/v1\/connector\/consoles\/([^/]+)/.exec(new URL(address).pathname)?.[1];

const isSameAddress = (address: string, other: string | undefined): boolean =>
  other !== undefined && normalizeAddress(address) === normalizeAddress(other);

const normalizeAddress = (address: string): string => new URL(address).href.replace(/(?<!\/)\/+$/, '');
