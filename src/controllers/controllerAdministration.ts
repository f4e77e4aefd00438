import type { ControllerCredentials } from './controller.js';
import { checkControllerCredentials, requiredCredentials } from './kinds.js';
import { toLabel } from '../lib/label.js';
import type { Clock } from '../lib/system.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import type { RotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import { sealCredentials, type Sealed } from '../secrets/encryption.js';
import type { ControllerRemoval, ControllerTable, StoredController } from './controllerTable.js';
import type { SiteTable, StoredSite } from '../sites/siteTable.js';
import { identifyConsole } from './consoleIdentity.js';
import { ControllerNeeded, nameTaken, unknownController, withRefusals } from './controllerRefusals.js';
import { checkInput, describeSettings, toSettings, type SettingsInput } from './controllerSettings.js';
import type { PassedTests } from './passedTests.js';
import { sealingOf, type CredentialSealingDeps } from './credentialSealing.js';

/** What a new controller is made of. */
export interface ControllerInput {
  readonly name: string;
  readonly kind: string;
  readonly settings: SettingsInput;
  /** Store it although another controller seems to be the same console. */
  readonly force: boolean;
  /** Called last, after all other checks, so that users are not asked for a secret in vain. */
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

interface ControllerAdministrationDeps extends CredentialSealingDeps {
  readonly controllers: ControllerTable;
  readonly sites: SiteTable;
  readonly clock: Clock;
  readonly rotationSafeWriter: RotationSafeWriter;
  readonly deadlineMs: number;
  /** Told of each controller that was added. */
  readonly passedTests?: Pick<PassedTests, 'noteStored'>;
}

export const makeControllerAdministration = (
  deps: ControllerAdministrationDeps,
): ControllerAdministration => {
  const { controllers, sites, clock, rotationSafeWriter, deadlineMs, passedTests } = deps;

  const find = async (id: number): Promise<StoredController> => {
    const stored = (await controllers.all()).find((known) => known.id === id);
    if (!stored) throw unknownController();
    return stored;
  };

  const assertNameFree = (name: string, others: readonly StoredController[]): void => {
    if (others.some((known) => known.name === name)) throw nameTaken(name);
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
      const audit = draftAudit(actor, 'controller.add', at, { kind, ...describeSettings(kind, settings) });
      const add = (sealedCredentials: Sealed | null): Promise<number> =>
        withRefusals(controllers.add({ name, kind, settings, sealedCredentials, identity }, at, audit));
      const id = await (Object.keys(requiredCredentials(kind)).length === 0
        ? add(null)
        : rotationSafeWriter.write((secrets) =>
            add(sealCredentials(secrets, { kind, settings }, credentials)),
          ));
      passedTests?.noteStored({ kind, settings, credentials }, id);
      return id;
    },
    change: async (id, { credentials, force = false, ...update }, actor) => {
      const stored = await find(id);
      const { kind } = stored;
      const others = (await controllers.all()).filter((other) => other.id !== id);
      const name = update.name === undefined ? stored.name : toLabel(update.name);
      assertNameFree(name, others);
      const settings = update.settings ? toSettings(kind, update.settings, stored.settings) : stored.settings;
      const seal = sealingOf(deps, stored, settings, credentials);
      const { url, fingerprint } = stored.settings;
      const isMoved =
        settings['url'] !== url ||
        (settings['fingerprint'] !== undefined && settings['fingerprint'] !== fingerprint);
      const identity = isMoved
        ? ((await identifyConsole({ name, settings, others, force, deadlineMs })) ?? undefined)
        : undefined;
      const audit = draftAudit(actor, 'controller.change', clock.now(), {
        ...(name !== stored.name && { from: stored.name, to: name }),
        ...(update.settings && describeSettings(kind, settings)),
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
