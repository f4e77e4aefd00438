import { Refusal } from '../errors/problem.js';
import { credentialsBinding, sealCredentials, type Secrets } from '../secrets/encryption.js';
import { canOpen } from '../secrets/rotationSafeWriter.js';
import type { ControllerCredentials } from './controller.js';
import { checkInput } from './controllerSettings.js';
import type { StoredController } from './controllerTable.js';
import { controllerAddressOf } from './https/settings.js';
import { checkControllerCredentials } from './kinds.js';

type Settings = StoredController['settings'];

export interface CredentialSealingDeps {
  /** Opens sealed credentials. Called each time, because the key may have been rotated. */
  secrets(): Secrets;
  /**
   * May stored credentials be sent to another host? Somebody with the secret key may decide that;
   * somebody in the pages could make them visible by it.
   */
  readonly mayMoveCredentials: boolean;
}

/** Seals the credentials that a change needs, by the current key. */
type Seal = (secrets: Secrets) => string;

/** How to seal the credentials that a change needs; undefined when they stay as they are. */
export const sealingOf = (
  deps: CredentialSealingDeps,
  stored: StoredController,
  settings: Settings,
  credentials: ControllerCredentials | undefined,
): Seal | undefined => {
  const { id, kind, sealedCredentials: sealed } = stored;
  if (credentials) {
    checkInput(() => checkControllerCredentials(kind, credentials));
    if (Object.keys(credentials).length === 0) return undefined;
    return (secrets) => sealCredentials(secrets, { kind, settings }, credentials)(id);
  }
  const isBoundAlike = credentialsBinding(stored) === credentialsBinding({ ...stored, settings });
  return sealed === null || isBoundAlike ? undefined : resealCredentials(deps, stored, sealed, settings);
};

/** Seals the stored credentials for where they will be sent from now on. */
const resealCredentials = (
  deps: CredentialSealingDeps,
  stored: StoredController,
  sealed: string,
  settings: Settings,
): Seal => {
  if (!deps.mayMoveCredentials && !isSameReceiver(stored.settings, settings)) throw credentialsRequired();
  const [before, after] = [credentialsBinding(stored), credentialsBinding({ ...stored, settings })];
  const { open } = deps.secrets();
  // Bound to either address: changing back an address that was tampered with makes them usable again.
  const binding = [before, after].find((candidate) => canOpen(open, sealed, candidate));
  if (binding === undefined) throw credentialsRequired();
  const text = open(sealed, binding);
  return (secrets) => secrets.seal(text, after);
};
/** Will credentials be sent to the same host, or at least to the one that has the pinned certificate? */
export const isSameReceiver = (before: Settings, after: Settings): boolean => {
  const [from, to] = [before, after].map((settings) => controllerAddressOf({ settings }));
  if (from === undefined || to === undefined) return from === to;
  const pin = before['fingerprint'];
  return serverOf(from) === serverOf(to) || (pin !== undefined && pin === after['fingerprint']);
};

/** The origin, which URLs of databases do not have. */
const serverOf = (address: string): string => {
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
};

const credentialsRequired = (): Refusal =>
  new Refusal('credentials-required', 'its credentials have to be given again');
