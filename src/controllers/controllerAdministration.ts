import type { ControllerCredentials } from './controller.js';
import { SettingsError, type SettingName } from './errors.js';
import {
  controllerAddressOf,
  controllerTrustOf,
  parseFingerprint,
  pickCertificates,
} from './https/settings.js';
import { checkControllerCredentials, checkControllerSettings, requiredCredentials } from './kinds.js';
import { toLabel } from '../lib/label.js';
import { Refusal } from '../errors/problem.js';
import type { Clock } from '../lib/system.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import type { AuditEntry } from '../audit/auditTable.js';
import { canOpen, type RotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import { credentialsBinding, sealCredentials, type Sealed, type Secrets } from '../secrets/encryption.js';
import {
  ControllerChanged,
  ControllerNameTaken,
  type ControllerRemoval,
  type ControllerTable,
  type StoredController,
} from './controllerTable.js';
import {
  ControllerRemoved,
  ControllerSiteUsed,
  type SiteTable,
  type StoredSite,
} from '../sites/siteTable.js';
import { identifyConsole } from './consoleIdentity.js';

type Settings = StoredController['settings'];

/** What was given to reach a controller; what is not given stays as it was, and null removes it. */
export interface AddressInput {
  readonly url?: string | undefined;
  readonly fingerprint?: string | null | undefined;
  readonly caCertificates?: string | null | undefined;
}

/** All settings as they shall be, or what is changed of those about the address. */
type SettingsInput = { readonly all: Settings } | { readonly address: AddressInput };

/** What a new controller is made of. */
export interface ControllerInput {
  readonly name: string;
  readonly kind: string;
  readonly settings: SettingsInput;
  /** Store it although another controller seems to be the same console. */
  readonly force: boolean;
  /** Is called when nothing else is wrong, so that nobody is asked for a secret in vain. */
  readCredentials(): Promise<ControllerCredentials>;
}

/** What is changed of a controller. */
export interface ControllerUpdate {
  readonly name?: string | undefined;
  readonly settings?: SettingsInput | undefined;
  /** Replace the stored ones as a whole. */
  readonly credentials?: ControllerCredentials | undefined;
  readonly force?: boolean;
}

/** A controller that can't be removed yet. */
export class ControllerNeeded extends Refusal<'controller-in-use' | 'orders-open'> {
  constructor(
    name: string,
    readonly active: readonly StoredSite[],
    readonly openIntents: number,
  ) {
    super(
      active.length > 0 ? 'controller-in-use' : 'orders-open',
      active.length > 0
        ? `${name} is needed by active sites`
        : `${name} is needed: the outcome of orders on it is not known yet`,
    );
  }
}

type Removed = Extract<ControllerRemoval, { outcome: 'removed' | 'kept' }>;

/** Adds, changes and removes controllers. All throw `Refusal`, and then nothing has changed. */
export interface ControllerAdministration {
  find(id: number): Promise<StoredController>;
  /** Returns the new controller's id. */
  add(input: ControllerInput, actor: Actor): Promise<number>;
  change(id: number, update: ControllerUpdate, actor: Actor): Promise<void>;
  /** With `giveUp`, orders whose outcome is not known are given up. */
  remove(id: number, actor: Actor, options?: { readonly giveUp: boolean }): Promise<Removed>;
  /** Adds sites of a controller, active, all or none. Returns their ids. */
  addSites(
    id: number,
    sites: readonly Pick<StoredSite, 'name' | 'controllerSite'>[],
    actor: Actor,
  ): Promise<number[]>;
}

interface ControllerAdministrationDeps {
  readonly controllers: ControllerTable;
  readonly sites: SiteTable;
  readonly clock: Clock;
  readonly rotationSafeWriter: RotationSafeWriter;
  /** Opens sealed credentials. Called each time, because the key may have been rotated. */
  secrets(): Secrets;
  /**
   * May stored credentials be sent to another host? Whoever has the secret key may decide that; somebody in the pages
   * could make them visible by it.
   */
  readonly mayMoveCredentials: boolean;
  readonly deadlineMs: number;
}

export const makeControllerAdministration = (
  deps: ControllerAdministrationDeps,
): ControllerAdministration => {
  const { controllers, sites, clock, rotationSafeWriter, deadlineMs } = deps;

  const find = async (id: number): Promise<StoredController> => {
    const stored = (await controllers.all()).find((known) => known.id === id);
    if (!stored) throw unknownController();
    return stored;
  };

  const assertNameFree = (name: string, others: readonly StoredController[]): void => {
    if (others.some((known) => known.name === name)) throw nameTaken(name);
  };

  /** Seals the stored credentials for where they will be sent from now on. */
  const resealCredentials = (
    stored: StoredController,
    sealed: string,
    settings: Settings,
  ): ((secrets: Secrets) => string) => {
    if (!deps.mayMoveCredentials && !isSameReceiver(stored.settings, settings)) throw credentialsRequired();
    const [before, after] = [credentialsBinding(stored), credentialsBinding({ ...stored, settings })];
    const { open } = deps.secrets();
    // Bound to either address: changing back an address that was tampered with makes them usable again.
    const binding = [before, after].find((candidate) => canOpen(open, sealed, candidate));
    if (binding === undefined) throw credentialsRequired();
    const text = open(sealed, binding);
    return (secrets) => secrets.seal(text, after);
  };

  /** How to seal the credentials that a change needs; undefined when they stay as they are. */
  const sealingOf = (
    stored: StoredController,
    settings: Settings,
    credentials: ControllerCredentials | undefined,
  ): ((secrets: Secrets) => string) | undefined => {
    const { id, kind, sealedCredentials: sealed } = stored;
    if (credentials) {
      checkInput(() => checkControllerCredentials(kind, credentials));
      if (Object.keys(credentials).length === 0) return undefined;
      return (secrets) => sealCredentials(secrets, { kind, settings }, credentials)(id);
    }
    const isBoundAlike = credentialsBinding(stored) === credentialsBinding({ ...stored, settings });
    return sealed === null || isBoundAlike ? undefined : resealCredentials(stored, sealed, settings);
  };

  return {
    find,
    add: async ({ kind, force, readCredentials, ...input }, actor) => {
      const name = toLabel(input.name);
      const settings = toSettings(kind, input.settings);
      const others = await controllers.all();
      assertNameFree(name, others);
      const identity = await identifyConsole({ name, settings, others, force, deadlineMs });
      const credentials = await readCredentials();
      checkInput(() => checkControllerCredentials(kind, credentials));
      const at = clock.now();
      const audit = draftAudit(actor, 'controller.add', at, { kind, ...describeSettings(settings) });
      const add = (sealedCredentials: Sealed | null): Promise<number> =>
        withRefusals(controllers.add({ name, kind, settings, sealedCredentials, identity }, at, audit));
      return Object.keys(requiredCredentials(kind)).length === 0
        ? add(null)
        : rotationSafeWriter.write((secrets) =>
            add(sealCredentials(secrets, { kind, settings }, credentials)),
          );
    },
    change: async (id, { credentials, force = false, ...update }, actor) => {
      const stored = await find(id);
      const { kind } = stored;
      const others = (await controllers.all()).filter((other) => other.id !== id);
      const name = update.name === undefined ? stored.name : toLabel(update.name);
      assertNameFree(name, others);
      const settings = update.settings ? toSettings(kind, update.settings, stored.settings) : stored.settings;
      const seal = sealingOf(stored, settings, credentials);
      const { url, fingerprint } = stored.settings;
      const isMoved =
        settings['url'] !== url ||
        (settings['fingerprint'] !== undefined && settings['fingerprint'] !== fingerprint);
      const identity = isMoved
        ? ((await identifyConsole({ name, settings, others, force, deadlineMs })) ?? undefined)
        : undefined;
      const audit = draftAudit(actor, 'controller.change', clock.now(), {
        ...(name !== stored.name && { from: stored.name, to: name }),
        ...(update.settings && describeSettings(settings)),
        ...(credentials && { credentials: true }),
      });
      const change = async (sealedCredentials?: string): Promise<void> => {
        const isChanged = await withRefusals(
          controllers.change(
            id,
            {
              // Only what is to be changed: somebody else may be changing the rest.
              ...(update.name !== undefined && { name }),
              ...(update.settings && { settings }),
              // A console that does not answer keeps its identity.
              ...(identity !== undefined && { identity }),
              ...(sealedCredentials !== undefined && { sealedCredentials }),
            },
            audit,
            // An address and credentials are checked together, so they have to be stored together.
            update.settings || seal ? stored : undefined,
          ),
        );
        if (!isChanged) throw unknownController();
      };
      await (seal ? rotationSafeWriter.replace((secrets) => change(seal(secrets))) : change());
    },
    remove: async (id, actor, { giveUp } = { giveUp: false }) => {
      const { name } = await find(id);
      const at = clock.now();
      const audit = draftAudit(actor, 'controller.remove', at, giveUp ? { giveUp } : {});
      const removal = await controllers.remove(id, at, { giveUp }, audit);
      if (removal.outcome === 'unknown') throw unknownController();
      if (removal.outcome === 'refused')
        throw new ControllerNeeded(name, removal.active, removal.openIntents);
      return removal;
    },
    addSites: async (id, added, actor) => {
      const { name } = await find(id);
      const audit = draftAudit(actor, 'site.add', clock.now(), { controller: name });
      const parsed = added.map((site) => ({
        name: toLabel(site.name),
        controllerSite: site.controllerSite,
      }));
      return withRefusals(sites.addOfController(id, parsed, audit));
    },
  };
};

/**
 * Applies what was given to the earlier settings. A fingerprint replaces a CA, and the other way round. Throws
 * `SettingsError`.
 */
export const applyAddress = (
  kind: string,
  { url, fingerprint, caCertificates }: AddressInput,
  earlier: Settings = {},
): Settings => {
  if (kind === 'simulated') {
    if (url !== undefined || fingerprint != null || caCertificates != null)
      throw new SettingsError('address', 'a controller of the kind simulated has none');
    return earlier;
  }
  if (fingerprint != null && caCertificates != null)
    throw new SettingsError('trust', 'a fingerprint and a CA exclude each other');
  const { fingerprint: pinned, ca, ...others } = earlier;
  const kept = {
    ...(pinned !== undefined && fingerprint === undefined && { fingerprint: pinned }),
    ...(ca !== undefined && caCertificates === undefined && { ca }),
  };
  const trust =
    fingerprint != null
      ? { fingerprint: parseFingerprint(fingerprint) }
      : caCertificates != null
        ? { ca: pickCertificates(caCertificates) }
        : kept;
  return { ...others, ...(url !== undefined && { url }), ...trust };
};

const toSettings = (kind: string, input: SettingsInput, earlier?: Settings): Settings =>
  checkInput(() => {
    const settings = 'all' in input ? input.all : applyAddress(kind, input.address, earlier);
    checkControllerSettings({ kind, settings });
    return settings;
  });

/** Will credentials be sent to the same host, or at least to the one that has the pinned certificate? */
export const isSameReceiver = (before: Settings, after: Settings): boolean => {
  const [from, to] = [before, after].map((settings) => controllerAddressOf({ settings }));
  if (from === undefined || to === undefined) return from === to;
  const pin = before['fingerprint'];
  return new URL(from).origin === new URL(to).origin || (pin !== undefined && pin === after['fingerprint']);
};

/** What the audit log says of settings. */
const describeSettings = (settings: Settings): AuditEntry['detail'] => {
  const address = controllerAddressOf({ settings });
  return address === undefined ? {} : { address, trust: controllerTrustOf({ settings }) };
};

/** Refusals by the setting that a `SettingsError` names. */
const settingReasons: Readonly<Record<SettingName, string>> = {
  url: 'url-invalid',
  kind: 'kind-invalid',
  address: 'address-not-needed',
  trust: 'trust-conflict',
  fingerprint: 'fingerprint-invalid',
  'ca-file': 'ca-invalid',
  'api-key': 'credentials-invalid',
  username: 'credentials-invalid',
  password: 'credentials-invalid',
  credentials: 'credentials-invalid',
  'max-calls': 'settings-invalid',
  latency: 'settings-invalid',
  fault: 'settings-invalid',
};

/** Turns a `SettingsError` into a refusal. */
const checkInput = <T>(check: () => T): T => {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new Refusal(settingReasons[error.setting], error.message, 'invalid');
  }
};

/** Turns what the tables throw into refusals. */
const withRefusals = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (error instanceof ControllerNameTaken) throw new Refusal('name-taken', error.message);
    if (error instanceof ControllerChanged) throw new Refusal('changed-meanwhile', error.message);
    if (error instanceof ControllerRemoved) throw unknownController();
    if (error instanceof ControllerSiteUsed) throw new Refusal('controller-site-used', error.message);
    throw error;
  });

const nameTaken = (name: string): Refusal =>
  new Refusal('name-taken', `there is already a controller named "${name}"`);

/** The refusal for a controller that does not exist. */
export const unknownController = (): Refusal =>
  new Refusal('unknown-controller', 'there is no such controller', 'missing');

const credentialsRequired = (): Refusal =>
  new Refusal('credentials-required', 'its credentials have to be given again');
