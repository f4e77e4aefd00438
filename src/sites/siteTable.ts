import { Refusal } from '../errors/problem.js';
import type { Knex } from 'knex';
import { recordAudit, type AuditDraft, type NewAuditEntry } from '../audit/auditTable.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { inTransaction } from '../database/transactions.js';
import { settlePrinting, type PrintingConflict, type SitePrinting } from './sitePrinting.js';
import { settleWifi, type SiteWifi, type WifiConflict } from './wifi.js';

export interface StoredSite {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
  readonly controllerId: number;
  readonly controllerSite: string | null;
}

export const siteColumns = defineColumns<StoredSite>({
  id: 'plain',
  name: 'plain',
  active: 'boolean',
  controllerId: 'plain',
  controllerSite: 'plain',
});

/** A site with everything that the pages show of it. */
export interface SiteDetails extends StoredSite, SiteWifi, SitePrinting {
  readonly controllerName: string;
  readonly hasWifiPassword: boolean;
  /** What is printed on slips. */
  readonly slipText: string | null;
  readonly hasLogo: boolean;
  readonly defaultProfileId: number | null;
}

/** What can be changed of a site. */
export type SiteValues = Partial<
  Pick<
    SiteDetails,
    'name' | 'active' | 'slipText' | 'defaultProfileId' | keyof SiteWifi | keyof SitePrinting
  > & {
    readonly sealedWifiPassword: string | null;
  }
>;

const valueColumns = defineColumns<Required<SiteValues>>({
  name: 'plain',
  active: 'boolean',
  ssid: 'plain',
  wifiKind: 'plain',
  isWifiHidden: 'boolean',
  sealedWifiPassword: 'plain',
  slipText: 'plain',
  slipPaper: 'plain',
  printAtOnce: 'plain',
  printerId: 'plain',
  defaultProfileId: 'plain',
});

/** Why a site was not changed. */
export type SiteConflict = 'unknown-site' | 'unknown-profile' | PrintingConflict | WifiConflict;

export interface SiteTable {
  /** Returns the new site's id. Throws the refusal `controller-removed`. */
  add(site: Omit<StoredSite, 'id'>, at: number, audit?: AuditDraft): Promise<number>;
  /**
   * Adds active sites of one controller, all or none, and returns their ids. Throws the refusals
   * `controller-removed`, if there is no such controller, and `controller-site-used`.
   */
  addOfController(
    controllerId: number,
    sites: readonly Pick<StoredSite, 'name' | 'controllerSite'>[],
    audit: AuditDraft,
  ): Promise<number[]>;
  all(): Promise<StoredSite[]>;
  /** All, or those with these ids. */
  details(ids?: readonly number[]): Promise<SiteDetails[]>;
  /** By the ids of sites: of all, or of these. */
  sealedWifiPasswords(ids?: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Changes what is given. Throws `controller-removed` like `add` when a site is activated. */
  change(id: number, values: SiteValues, audit?: AuditDraft): Promise<'changed' | SiteConflict>;
}

/** The table of sites. Every change raises their revision. */
export const makeSiteTable = ({ read, write }: Database): SiteTable => ({
  add: (site, at, audit) =>
    inSitesTransaction(write, async (transaction) => {
      await assertControllerExists(transaction, site.controllerId, 'the controller was removed');
      const [row] = await transaction('sites')
        .insert({ ...siteColumns.toNewRow(site), created_at: at })
        .returning<{ id: number }[]>('id');
      const id = row?.id ?? 0;
      if (audit) await recordAudit(transaction, toSiteEntry(audit, { ...site, id }));
      return id;
    }),
  addOfController: (controllerId, sites, audit) =>
    inSitesTransaction(write, async (transaction) => {
      const controller = await transaction('controllers')
        .where({ id: controllerId, removed_at: null })
        .first<{ id: number } | undefined>('id');
      if (!controller) throw new Refusal('controller-removed', 'the controller was removed');
      const used = new Set(
        (await findSitesOfController(transaction, controllerId)).map(({ controllerSite }) => controllerSite),
      );
      const ids: number[] = [];
      for (const { name, controllerSite } of sites) {
        if (used.has(controllerSite))
          throw new Refusal(
            'controller-site-used',
            `a site uses ${controllerSite === null ? 'the default site' : `the site "${controllerSite}"`} of this controller already`,
          );
        used.add(controllerSite);
        const [row] = await transaction('sites')
          .insert({
            ...siteColumns.toNewRow({ name, active: true, controllerId, controllerSite }),
            created_at: audit.at,
          })
          .returning<{ id: number }[]>('id');
        const id = row?.id ?? 0;
        ids.push(id);
        const detail = { ...audit.detail, controllerSite };
        await recordAudit(transaction, toSiteEntry({ ...audit, detail }, { id, name }));
      }
      return ids;
    }),
  all: async () => siteColumns.fromRows(await read('sites').select(siteColumns.aliases).orderBy('id')),
  details: async (ids) => {
    const rows = await read('sites')
      .modify((sites) => void (ids && sites.whereIn('sites.id', ids)))
      .join('controllers', 'controllers.id', 'sites.controller_id')
      .leftJoin('site_logos', 'site_logos.site_id', 'sites.id')
      .leftJoin('printers', 'printers.id', 'sites.printer_id')
      .select<
        (Omit<SiteDetails, 'hasLogo' | 'active' | 'hasWifiPassword' | 'isWifiHidden'> & {
          active: boolean | number;
          isWifiHidden: boolean | number;
          sealedWifiPassword: string | null;
          logoType: string | null;
        })[]
      >({
        id: 'sites.id',
        name: 'sites.name',
        active: 'sites.active',
        controllerId: 'sites.controller_id',
        controllerSite: 'sites.controller_site',
        controllerName: 'controllers.name',
        ssid: 'sites.ssid',
        wifiKind: 'sites.wifi_kind',
        isWifiHidden: 'sites.is_wifi_hidden',
        sealedWifiPassword: 'sites.sealed_wifi_password',
        slipText: 'sites.slip_text',
        slipPaper: 'sites.slip_paper',
        printAtOnce: 'sites.print_at_once',
        printerId: 'printers.id',
        defaultProfileId: 'sites.default_profile_id',
        logoType: 'site_logos.media_type',
      })
      .orderBy('sites.id');
    return rows.map(({ logoType, sealedWifiPassword, ...site }) => ({
      ...site,
      active: Boolean(site.active),
      isWifiHidden: Boolean(site.isWifiHidden),
      hasWifiPassword: sealedWifiPassword !== null,
      hasLogo: logoType !== null,
      // Nothing is printed on a printer that was removed.
      printAtOnce: site.printAtOnce === 'printer' && site.printerId === null ? 'off' : site.printAtOnce,
    }));
  },
  sealedWifiPasswords: async (ids) => {
    const rows = await read('sites')
      .modify((sites) => void (ids && sites.whereIn('id', ids)))
      .whereNotNull('sealed_wifi_password')
      .select<{ id: number; sealed: string }[]>({ id: 'id', sealed: 'sealed_wifi_password' });
    return new Map(rows.map(({ id, sealed }) => [id, sealed]));
  },
  change: (id, values, audit) =>
    inSitesTransaction(
      write,
      async (transaction): Promise<'changed' | SiteConflict> => {
        const site = await findSiteInTransaction(transaction, id);
        if (!site) return 'unknown-site';
        if (values.active === true)
          await assertControllerExists(
            transaction,
            site.controllerId,
            `the controller of site ${String(id)} was removed: add a site on another one`,
          );
        const profileId = values.defaultProfileId ?? null;
        if (profileId !== null && !(await holdsForSite(transaction, profileId, id))) return 'unknown-profile';
        const printing = changesPrinting(values)
          ? settlePrinting(await findPrinting(transaction, id), values)
          : undefined;
        if (typeof printing === 'string') return printing;
        const printerId = printing?.printerId ?? null;
        if (printerId !== null && !(await printsForSite(transaction, printerId, id)))
          return 'unknown-printer';
        const wifi = changesWifi(values) ? settleWifi(await findWifi(transaction, id), values) : undefined;
        if (typeof wifi === 'string') return wifi;
        const row = valueColumns.toRow({ ...values, ...wifi, ...printing });
        if (Object.keys(row).length > 0) await transaction('sites').where({ id }).update(row);
        if (audit) await recordAudit(transaction, toSiteEntry(audit, { id, name: values.name ?? site.name }));
        return 'changed';
      },
      // What profiles and printers there are must not change meanwhile.
      [
        ...(values.defaultProfileId === undefined ? [] : (['profiles'] as const)),
        ...(changesPrinting(values) ? (['printers'] as const) : []),
      ],
    ),
});

/**
 * Runs a transaction that changes sites or controllers. Raising their revision first locks out other such
 * transactions, so what this one reads still holds when it writes.
 */
export const inSitesTransaction = <T>(
  write: Knex,
  work: (transaction: Knex) => Promise<T>,
  also: readonly ('profiles' | 'printers')[] = [],
): Promise<T> =>
  inTransaction(write, async (transaction) => {
    await raiseRevisions(transaction, ['sites', ...also]);
    return work(transaction);
  });

/** The sites of a controller, read in a transaction. */
export const findSitesOfController = async (transaction: Knex, controllerId: number): Promise<StoredSite[]> =>
  siteColumns.fromRows(
    await transaction('sites')
      .select(siteColumns.aliases)
      .where({ controller_id: controllerId })
      .orderBy('id'),
  );

const assertControllerExists = async (
  transaction: Knex,
  controllerId: number,
  text: string,
): Promise<void> => {
  const removed = await transaction('controllers')
    .where({ id: controllerId })
    .whereNotNull('removed_at')
    .first<{ id: number } | undefined>('id');
  if (removed) throw new Refusal('controller-removed', text);
};

/** A site, read in a transaction. */
export const findSiteInTransaction = async (transaction: Knex, id: number): Promise<StoredSite | undefined> =>
  siteColumns.fromRows(await transaction('sites').select(siteColumns.aliases).where({ id }))[0];

const findWifi = async (transaction: Knex, id: number): Promise<Parameters<typeof settleWifi>[0]> => {
  const { ssid, wifiKind, sealedWifiPassword } = valueColumns.aliases;
  const [row] = valueColumns.fromRows(
    await transaction('sites').select({ ssid, wifiKind, sealedWifiPassword }).where({ id }),
  );
  return row ?? { ssid: null, wifiKind: 'open', sealedWifiPassword: null };
};

const changesWifi = ({ ssid, wifiKind, sealedWifiPassword }: SiteValues): boolean =>
  ssid !== undefined || wifiKind !== undefined || sealedWifiPassword !== undefined;

/** Do all of these sites exist? */
export const doSitesExist = async (transaction: Knex, siteIds: readonly number[]): Promise<boolean> => {
  const wanted = new Set(siteIds);
  const found = await transaction('sites')
    .whereIn('id', [...wanted])
    .pluck('id');
  return found.length === wanted.size;
};

/** Does the profile exist, for all sites or for this one? */
const holdsForSite = async (transaction: Knex, profileId: number, siteId: number): Promise<boolean> =>
  (await transaction('profiles')
    .leftJoin('profile_sites', (join) => {
      join.on('profile_sites.profile_id', 'profiles.id').andOnVal('profile_sites.site_id', siteId);
    })
    .where('profiles.id', profileId)
    .where((either) => either.where('profiles.for_all_sites', true).orWhereNotNull('profile_sites.site_id'))
    .first('profiles.id')) !== undefined;

const findPrinting = async (transaction: Knex, id: number): Promise<Parameters<typeof settlePrinting>[0]> => {
  const { printAtOnce, printerId } = valueColumns.aliases;
  const [row] = valueColumns.fromRows(
    await transaction('sites').select({ printAtOnce, printerId }).where({ id }),
  );
  return row ?? { printAtOnce: 'off', printerId: null };
};

const changesPrinting = ({ printAtOnce, printerId }: SiteValues): boolean =>
  printAtOnce !== undefined || printerId !== undefined;

/** Does the printer exist, for all sites or for this one? */
const printsForSite = async (transaction: Knex, printerId: number, siteId: number): Promise<boolean> =>
  (await transaction('printers')
    .leftJoin('printer_sites', (join) => {
      join.on('printer_sites.printer_id', 'printers.id').andOnVal('printer_sites.site_id', siteId);
    })
    .where('printers.id', printerId)
    .where((either) => either.where('printers.for_all_sites', true).orWhereNotNull('printer_sites.site_id'))
    .first('printers.id')) !== undefined;

/** The entry of the audit log for what was done to a site. */
export const toSiteEntry = (
  audit: AuditDraft,
  { id, name }: Pick<StoredSite, 'id' | 'name'>,
): NewAuditEntry => ({
  ...audit,
  subjectKind: 'site',
  subjectId: String(id),
  subjectName: name,
});
