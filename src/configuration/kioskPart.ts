import { draftAudit } from '../audit/audit.js';
import { kioskDefaults, summarizeKiosk, toKioskValues } from '../kiosks/kioskInput.js';
import type { KioskValues, StoredKiosk } from '../kiosks/kioskTable.js';
import { toUserKey } from '../users/names.js';
import type { FileKiosk } from './configurationFile.js';
import { findDifferences, toExistingStep, toNewStep, type ImportStep, type PlanDeps } from './importStep.js';

/** A kiosk as the file has it: with names in place of ids. */
export const toFileKiosk = (
  {
    id: _,
    siteId,
    profileId,
    moreProfileIds,
    printerId,
    createdAt: _at,
    createdBy: _by,
    ...kiosk
  }: StoredKiosk,
  profileNames: ReadonlyMap<number, string>,
  printerNames: ReadonlyMap<number, string>,
): Required<FileKiosk> => ({
  ...kiosk,
  site: siteId,
  profile: profileNames.get(profileId) ?? '',
  moreProfiles: moreProfileIds.flatMap((id) => profileNames.get(id) ?? []),
  printer: printerNames.get(printerId ?? 0) ?? null,
});

/** Kiosks are the same when their links are. What a file leaves out stays as it is. */
export const planKiosks = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const [stored, profiles, printers] = [
    await deps.tables.kiosks.all(),
    await deps.tables.profiles.all(),
    await deps.tables.printers.all(),
  ];
  const keysOf = (all: readonly { readonly id: number; readonly name: string }[]) =>
    new Map(all.map(({ id, name }) => [id, toUserKey(name)]));
  const [profileKeys, printerKeys] = [keysOf(profiles), keysOf(printers)];
  const comparable = (kiosk: FileKiosk) => ({
    ...kiosk,
    profile: toUserKey(kiosk.profile),
    moreProfiles: kiosk.moreProfiles?.map(toUserKey),
    backgroundColour: kiosk.backgroundColour?.toLowerCase() ?? kiosk.backgroundColour,
    printer: typeof kiosk.printer === 'string' ? toUserKey(kiosk.printer) : kiosk.printer,
  });
  return deps.file.kiosks.map((kiosk, index): ImportStep => {
    const { tokenHash, site, profile, name } = kiosk;
    const siteName = deps.file.sites.find(({ id }) => id === site)?.name ?? '';
    const step = {
      part: 'kiosks',
      name: `${name === undefined || name === '' ? siteName : name}, ${profile}`,
    } as const;
    const known = stored.find((one) => one.tokenHash === tokenHash);
    const { slug = null } = kiosk;
    if (slug !== null && stored.some((one) => one.slug === slug && one !== known))
      deps.refuse(['kiosks', index, 'slug'], `another guest page has the address "${slug}"`, 'conflict');
    const auditOf = (action: 'kiosk.add' | 'kiosk.change', values: KioskValues) => {
      const names = [profile, ...(kiosk.moreProfiles ?? [])];
      return draftAudit(deps.actor, action, deps.at, summarizeKiosk(values, names));
    };
    if (known) {
      const fields = findDifferences(comparable(kiosk), toFileKiosk(known, profileKeys, printerKeys));
      return toExistingStep(deps, { ...step, fields }, async () => {
        const values = toValues(deps, kiosk, known);
        await deps.tables.kiosks.change(known.id, values, auditOf('kiosk.change', values));
      });
    }
    return toNewStep(step, async () => {
      const values = toValues(deps, kiosk, kioskDefaults);
      const origin = { tokenHash, createdAt: deps.at, createdBy: deps.actor.name ?? '' };
      const shownName = values.name || siteName;
      await deps.tables.kiosks.add({ ...values, ...origin }, shownName, auditOf('kiosk.add', values));
    });
  });
};

const toValues = (
  { profileIds, printerIds }: Pick<PlanDeps, 'profileIds' | 'printerIds'>,
  { tokenHash: _, site, profile, moreProfiles, printer, ...given }: FileKiosk,
  otherwise: Omit<KioskValues, 'siteId' | 'profileId' | 'perHour' | 'asksName'>,
): KioskValues => {
  const idOf = (name: string): number => profileIds.get(toUserKey(name)) ?? 0;
  return toKioskValues({
    ...otherwise,
    ...given,
    siteId: site,
    profileId: idOf(profile),
    ...(moreProfiles && { moreProfileIds: moreProfiles.map(idOf) }),
    ...(printer !== undefined && {
      printerId: printer === null ? null : (printerIds.get(toUserKey(printer)) ?? null),
    }),
  });
};
