import { draftAudit } from '../audit/audit.js';
import type { AuditDraft } from '../audit/auditTable.js';
import { SecretError, wifiBinding, type Secrets } from '../secrets/encryption.js';
import { importSites } from '../sites/siteImportTable.js';
import { toSiteValues } from '../sites/sites.js';
import type { SiteValues } from '../sites/siteTable.js';
import { isWifiConflict, refuseWifi, sealWifiPassword } from '../sites/wifi.js';
import { toUserKey } from '../users/names.js';
import { isPlaceless, type OpenSite } from './checkConfiguration.js';
import { findDifferences, toExistingStep, toNewStep, type ImportStep, type PlanDeps } from './importStep.js';

/** Sites are the same when their ids are: clients order by id. Their default profiles come later. */
export const planSites = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const stored = await deps.tables.sites.details();
  const sealed = await deps.tables.sites.sealedWifiPasswords();
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
    const other = isPlaceless(site, deps.file.controllers) ? undefined : stored.find(isSamePlace);
    if (!known && other)
      deps.refuse(
        ['sites', index],
        `site ${String(id)} is site ${String(other.id)} here, "${other.name}": clients could not tell them apart`,
        'conflict',
      );
    if (!known) return planNewSite(deps, site, index);
    const { active, ssid, wifiKind, isWifiHidden, slipText, slipPaper, wifiPassword } = site;
    const wanted = { name, active, ssid, wifiKind, isWifiHidden, slipText, slipPaper };
    const hasOtherPassword = wifiPassword !== undefined && openPassword(deps, sealed, id) !== wifiPassword;
    const fields = [...findDifferences(wanted, known), ...(hasOtherPassword ? ['wifiPassword'] : [])];
    return toExistingStep(deps, { part: 'sites', name: labelOf(site), fields }, async (secrets) => {
      const audit = draftAudit(deps.actor, 'site.change', deps.at, {
        active,
        ...(hasOtherPassword && { wifiPassword: true }),
      });
      await changeSite(deps, index, sealValues(secrets, site), audit);
    });
  });
};

/** Two sites may have the same name. */
const labelOf = ({ id, name }: Pick<OpenSite, 'id' | 'name'>): string => `${String(id)} ${name}`;

/** Undefined when there is none, or when it does not open. */
const openPassword = (
  deps: PlanDeps,
  sealed: ReadonlyMap<number, string>,
  siteId: number,
): string | undefined => {
  const value = sealed.get(siteId);
  if (value === undefined) return undefined;
  try {
    return deps.secrets().open(value, wifiBinding(siteId));
  } catch (error) {
    if (error instanceof SecretError) return undefined;
    throw error;
  }
};

/** The values as they are stored. */
const sealValues = (secrets: Secrets, site: OpenSite): SiteValues & Pick<OpenSite, 'id'> => {
  const { id } = site;
  // What is printed at once comes later, when the printers exist.
  const { wifiPassword, printAtOnce: _, ...values } = toSiteValues(site);
  return {
    ...values,
    id,
    ...(wifiPassword && { sealedWifiPassword: sealWifiPassword(secrets, id, wifiPassword) }),
  };
};

/** Changes a site. A network of the file that has no password here, or whose name is missing, is refused. */
const changeSite = async (
  deps: PlanDeps,
  index: number,
  { id, ...values }: ReturnType<typeof sealValues>,
  audit?: AuditDraft,
): Promise<void> => {
  const outcome = await deps.tables.sites.change(id, values, audit);
  if (isWifiConflict(outcome)) deps.refuse(['sites', index], refuseWifi(outcome).message);
};

const planNewSite = (deps: PlanDeps, site: OpenSite, index: number): ImportStep => {
  const needsPassword = isProtected(site) && site.wifiPassword === undefined;
  const todo = needsPassword ? 'wifi-password' : undefined;
  return toNewStep({ part: 'sites', name: labelOf(site), todo }, async (secrets) => {
    const { id, active, controller, controllerSite } = site;
    const audit = draftAudit(deps.actor, 'site.add', deps.at, { controller });
    // Without its password the network is not told to guests as an open one.
    const given = needsPassword ? { ...site, ssid: null, wifiKind: 'open' as const } : site;
    const { active: _, ...values } = sealValues(secrets, given);
    const controllerId = deps.controllerIds.get(controller) ?? 0;
    const added = { id, name: values.name ?? '', active, controllerId, controllerSite, createdAt: deps.at };
    await importSites(deps.database, [added], audit);
    await changeSite(deps, index, values);
  });
};

const isProtected = ({ wifiKind = 'open' }: OpenSite): boolean => wifiKind !== 'open';

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

/** What sites print at once, when the printers exist. */
export const planPrintAtOnce = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const stored = new Map((await deps.tables.sites.details()).map((site) => [site.id, site]));
  const printerKeys = new Map(
    (await deps.tables.printers.all()).map(({ id, name }) => [id, toUserKey(name)]),
  );
  return deps.file.sites.flatMap((site, index): ImportStep[] => {
    const { id, printAtOnce, printer } = site;
    if (printAtOnce === undefined) return [];
    const known = stored.get(id);
    const wanted = printAtOnce === 'printer' ? toUserKey(printer ?? '') : null;
    const current = printerKeys.get(known?.printerId ?? 0) ?? null;
    if (printAtOnce === (known?.printAtOnce ?? 'off') && wanted === current) return [];
    const step = { part: 'sites', name: labelOf(site), fields: ['printAtOnce'] } as const;
    const apply = async (): Promise<void> => {
      const printers = await deps.tables.printers.all();
      const printerId = printers.find(({ name }) => toUserKey(name) === wanted)?.id ?? null;
      const audit = known && draftAudit(deps.actor, 'site.change', deps.at, { printAtOnce });
      const outcome = await deps.tables.sites.change(id, { printAtOnce, printerId }, audit);
      if (outcome !== 'changed')
        deps.refuse(
          ['sites', index, 'printer'],
          `the printer "${printer ?? ''}" is not for site ${String(id)}`,
        );
    };
    // Part of its creation.
    if (!known) return [{ ...step, outcome: 'same', fields: [], apply }];
    return [toExistingStep(deps, step, apply)];
  });
};
