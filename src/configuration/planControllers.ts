import { isDeepStrictEqual } from 'node:util';
import { draftAudit } from '../audit/audit.js';
import { describeSettings } from '../controllers/controllerSettings.js';
import type { StoredController } from '../controllers/controllerTable.js';
import { sealingOf } from '../controllers/credentialSealing.js';
import { requiredCredentials } from '../controllers/kinds.js';
import { credentialsBinding, sealCredentials, SecretError } from '../secrets/encryption.js';
import { importSites } from '../sites/siteImportTable.js';
import { toSiteValues } from '../sites/sites.js';
import { toUserKey } from '../users/names.js';
import type { OpenController } from './checkConfiguration.js';
import type { FileSite } from './configurationFile.js';
import { findDifferences, toExistingStep, type ImportStep, type PlanDeps } from './importStep.js';

/** Controllers are the same when their names are. */
export const planControllerSteps = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const stored = await deps.tables.controllers.all();
  return deps.file.controllers.map((controller, index) => {
    const known = stored.find(({ name }) => name === controller.name);
    if (!known) return planNewController(deps, controller);
    deps.controllerIds.set(known.name, known.id);
    if (known.kind !== controller.kind)
      deps.refuse(
        ['controllers', index, 'kind'],
        `controller "${known.name}" is of the kind ${known.kind} here: rename one of them`,
        'conflict',
      );
    if (deps.update && wouldMoveCredentials(controller, known))
      deps.refuse(
        ['controllers', index, 'settings'],
        `controller "${known.name}" has another address or certificate here, and the file has no credentials for this one: add them, change it by \`voucherd controller set\` first, or take the change back`,
        'conflict',
      );
    return planKnownController(deps, controller, known);
  });
};

/**
 * Would stored credentials be sent to whom the file says? Who can change the file must not decide that: what is sealed in it
 * is bound to the same values.
 */
const wouldMoveCredentials = ({ settings, credentials }: OpenController, known: StoredController): boolean =>
  !credentials &&
  known.sealedCredentials !== null &&
  credentialsBinding(known) !== credentialsBinding({ ...known, settings });

const planNewController = (deps: PlanDeps, controller: OpenController): ImportStep => {
  const { name, kind, settings, credentials } = controller;
  const isIncomplete = !credentials && Object.keys(requiredCredentials(kind)).length > 0;
  const audit = draftAudit(deps.actor, 'controller.add', deps.at, { kind, ...describeSettings(settings) });
  return {
    ...{ part: 'controllers', name, outcome: 'created', fields: [] },
    todo: isIncomplete ? 'credentials' : undefined,
    apply: async (secrets) => {
      const sealedCredentials = credentials
        ? sealCredentials(secrets, { kind, settings }, credentials)
        : null;
      const added = { name, kind, settings, sealedCredentials };
      deps.controllerIds.set(name, await deps.tables.controllers.add(added, deps.at, audit));
    },
  };
};

const planKnownController = (
  deps: PlanDeps,
  { name, settings, credentials }: OpenController,
  known: StoredController,
): ImportStep => {
  const hasOtherCredentials = credentials && !isDeepStrictEqual(openCredentials(deps, known), credentials);
  const fields = [
    ...(isDeepStrictEqual(settings, known.settings) ? [] : ['settings']),
    ...(hasOtherCredentials ? ['credentials'] : []),
  ];
  return toExistingStep(deps, { part: 'controllers', name, fields }, async (secrets) => {
    const audit = draftAudit(deps.actor, 'controller.change', deps.at, {
      ...describeSettings(settings),
      ...(hasOtherCredentials && { credentials: true }),
    });
    const sealing = { secrets: deps.secrets, mayMoveCredentials: false };
    const sealedCredentials = sealingOf(sealing, known, settings, credentials)?.(secrets);
    const values = { settings, ...(sealedCredentials !== undefined && { sealedCredentials }) };
    await deps.tables.controllers.change(known.id, values, audit);
  });
};

/** Undefined when there are none, or when they do not open. */
const openCredentials = (deps: PlanDeps, known: StoredController): unknown => {
  if (known.sealedCredentials === null) return undefined;
  try {
    return JSON.parse(deps.secrets().open(known.sealedCredentials, credentialsBinding(known)));
  } catch (error) {
    if (error instanceof SecretError) return undefined;
    throw error;
  }
};

/** Sites are the same when their ids are: clients order by id. Their default profiles come later. */
export const planSites = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const stored = await deps.tables.sites.details();
  const controllers = new Map((await deps.tables.controllers.all()).map(({ id, name }) => [id, name]));
  return deps.file.sites.map((site, index) => {
    const { id, name, controller, controllerSite } = site;
    const isSamePlace = (other: (typeof stored)[number]): boolean =>
      controllers.get(other.controllerId) === controller && other.controllerSite === controllerSite;
    const known = stored.find((other) => other.id === id);
    if (known && !isSamePlace(known))
      deps.refuse(
        ['sites', index],
        `site ${String(id)} is another one here, "${known.name}" on "${known.controllerName}": import into a new database`,
        'conflict',
      );
    const other = stored.find(isSamePlace);
    if (!known && other)
      deps.refuse(
        ['sites', index],
        `site ${String(id)} is site ${String(other.id)} here, "${other.name}": clients could not tell them apart`,
        'conflict',
      );
    if (!known) return planNewSite(deps, site);
    const wanted = { name, active: site.active, ssid: site.ssid, slipText: site.slipText };
    const step = { part: 'sites', name: labelOf(site), fields: findDifferences(wanted, known) } as const;
    return toExistingStep(deps, step, async () => {
      const audit = draftAudit(deps.actor, 'site.change', deps.at, { active: site.active });
      await deps.tables.sites.change(id, toSiteValues(site), audit);
    });
  });
};

/** Two sites may have the same name. */
const labelOf = ({ id, name }: Pick<FileSite, 'id' | 'name'>): string => `${String(id)} ${name}`;

const planNewSite = (deps: PlanDeps, site: FileSite): ImportStep => ({
  ...{ part: 'sites', name: labelOf(site), outcome: 'created', fields: [] },
  apply: async () => {
    const { active, ...given } = site;
    const { id, controller, controllerSite } = given;
    const audit = draftAudit(deps.actor, 'site.add', deps.at, { controller });
    const values = toSiteValues(given);
    const controllerId = deps.controllerIds.get(controller) ?? 0;
    const added = { id, name: values.name ?? '', active, controllerId, controllerSite, createdAt: deps.at };
    await importSites(deps.database, [added], audit);
    await deps.tables.sites.change(id, values);
  },
});

/** The default profiles of sites, once both exist. */
export const planDefaultProfiles = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const stored = new Map((await deps.tables.sites.details()).map((site) => [site.id, site]));
  const names = new Map((await deps.tables.profiles.all()).map(({ id, name }) => [id, toUserKey(name)]));
  return deps.file.sites.flatMap((site): ImportStep[] => {
    const known = stored.get(site.id);
    const current = names.get(known?.defaultProfileId ?? 0) ?? null;
    if (site.defaultProfile === undefined) return [];
    const wanted = site.defaultProfile === null ? null : toUserKey(site.defaultProfile);
    if (wanted === current) return [];
    const step = { part: 'sites', name: labelOf(site), fields: ['defaultProfile'] } as const;
    const apply = async (): Promise<void> => {
      const defaultProfileId = wanted === null ? null : (deps.profileIds.get(wanted) ?? 0);
      const audit = known && draftAudit(deps.actor, 'site.change', deps.at, { defaultProfileId });
      const outcome = await deps.tables.sites.change(site.id, { defaultProfileId }, audit);
      if (outcome !== 'changed')
        deps.refuse(
          ['sites', deps.file.sites.indexOf(site), 'defaultProfile'],
          `the profile "${String(site.defaultProfile)}" is not for site ${String(site.id)}`,
        );
    };
    // Part of its creation.
    if (!known) return [{ ...step, outcome: 'same', fields: [], apply }];
    return [toExistingStep(deps, step, apply)];
  });
};
