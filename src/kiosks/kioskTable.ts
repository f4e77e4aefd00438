import type { Knex } from 'knex';
import { recordAudit, type AuditDraft, type NewAuditEntry } from '../audit/auditTable.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { inTransaction } from '../database/transactions.js';
import type { PictureFile } from '../lib/picture.js';

/** The windows in which vouchers of one device can be limited, in minutes. */
export const deviceWindows = [5, 60, 1440] as const;

/** A tablet where guests take vouchers themselves. */
export interface StoredKiosk {
  readonly id: number;
  /** The SHA-256 of the token in its link. */
  readonly tokenHash: string;
  /** Empty when it is called like its site. */
  readonly name: string;
  readonly siteId: number;
  readonly profileId: number;
  /** Guests choose among these and `profileId`. */
  readonly moreProfileIds: readonly number[];
  readonly perHour: number;
  readonly asksName: boolean;
  readonly requiresName: boolean;
  /** May guests have their voucher sent to an address that they type? */
  readonly sendsEmail: boolean;
  /** The same, to a phone number. */
  readonly sendsSms: boolean;
  /** Where guests may print their voucher. */
  readonly printerId: number | null;
  /** After this long without a touch, the next guest is expected. */
  readonly idleSeconds: number;
  /** Such as `#2f6f4e`. */
  readonly backgroundColour: string | null;
  /** At most so many vouchers for one device in `deviceMinutes`; null for no such limit. */
  readonly perDevice: number | null;
  readonly deviceMinutes: (typeof deviceWindows)[number];
  /** The last part of its public address; null for kiosks, which only their link opens. */
  readonly slug: string | null;
  /** Do staff have to agree to each voucher? */
  readonly needsApproval: boolean;
  readonly createdAt: number;
  readonly createdBy: string;
}

/** What can be changed of a kiosk. */
export type KioskValues = Omit<StoredKiosk, 'id' | 'tokenHash' | 'createdAt' | 'createdBy'>;

/** A kiosk's picture, and what tells it from another one. */
export interface KioskBackground extends PictureFile {
  readonly version: string;
}

const columns = defineColumns<StoredKiosk>({
  id: 'plain',
  tokenHash: 'plain',
  name: 'plain',
  siteId: 'plain',
  profileId: 'plain',
  moreProfileIds: 'json',
  perHour: 'plain',
  asksName: 'boolean',
  requiresName: 'boolean',
  sendsEmail: 'boolean',
  sendsSms: 'boolean',
  printerId: 'plain',
  idleSeconds: 'plain',
  backgroundColour: 'plain',
  perDevice: 'plain',
  deviceMinutes: 'plain',
  slug: 'plain',
  needsApproval: 'boolean',
  createdAt: 'plain',
  createdBy: 'plain',
});

export interface KioskTable {
  /** The newest first. */
  all(): Promise<StoredKiosk[]>;
  find(tokenHash: string): Promise<StoredKiosk | undefined>;
  findBy(column: { readonly id: number } | { readonly slug: string }): Promise<StoredKiosk | undefined>;
  /** Returns the new kiosk's id. The audit log has it by the given name. */
  add(kiosk: Omit<StoredKiosk, 'id'>, shownName: string, audit: AuditDraft): Promise<number>;
  /** Changes what is given. Returns false when it does not exist. */
  change(
    id: number,
    values: Partial<KioskValues & Pick<StoredKiosk, 'tokenHash'>>,
    audit: AuditDraft,
  ): Promise<boolean>;
  /** Removes a kiosk. Returns false when it does not exist. */
  remove(id: number, audit: AuditDraft): Promise<boolean>;
  /** The versions of pictures, by kiosk: of all, or of one. */
  backgroundVersions(kioskId?: number): Promise<ReadonlyMap<number, string>>;
  background(id: number): Promise<KioskBackground | undefined>;
  /**
   * Stores a picture in place of the one before; null removes it.
   * Returns false when the kiosk does not exist.
   */
  setBackground(id: number, background: KioskBackground | null, audit: AuditDraft): Promise<boolean>;
}

/** The table of kiosks. */
export const makeKioskTable = ({ read, write }: Database): KioskTable => {
  /** Runs with an existing kiosk in a transaction, and records it. */
  const withKiosk = (
    id: number,
    audit: AuditDraft,
    work: (transaction: Knex) => Promise<void>,
  ): Promise<boolean> =>
    inTransaction(write, async (transaction) => {
      // Writing first locks out others: SQLite refuses to write
      // where another one has written since the first read.
      if ((await transaction('kiosks').where({ id }).update({ id })) === 0) return false;
      const before = await findShownName(transaction, id);
      await work(transaction);
      const after = await findShownName(transaction, id);
      await recordAudit(transaction, toEntry(audit, id, after ?? before ?? ''));
      return true;
    });
  return {
    all: async () => columns.fromRows(await read('kiosks').select(columns.aliases).orderBy('id', 'desc')),
    find: async (tokenHash) =>
      columns.fromRows(await read('kiosks').select(columns.aliases).where('token_hash', tokenHash))[0],
    findBy: async (column) => columns.fromRows(await read('kiosks').select(columns.aliases).where(column))[0],
    add: (kiosk, shownName, audit) =>
      inTransaction(write, async (transaction) => {
        const [row] = await transaction('kiosks')
          .insert(columns.toNewRow(kiosk))
          .returning<{ id: number }[]>('id');
        const id = row?.id ?? 0;
        await recordAudit(transaction, toEntry(audit, id, shownName));
        return id;
      }),
    change: (id, values, audit) =>
      withKiosk(id, audit, async (transaction) => {
        await transaction('kiosks').where({ id }).update(columns.toRow(values));
      }),
    remove: (id, audit) =>
      withKiosk(id, audit, async (transaction) => {
        await transaction('kiosks').where({ id }).delete();
      }),
    backgroundVersions: async (kioskId) => {
      const rows = await read('kiosk_backgrounds')
        .modify((pictures) => void (kioskId !== undefined && pictures.where({ kiosk_id: kioskId })))
        .select<{ kioskId: number; version: string }[]>({ kioskId: 'kiosk_id', version: 'version' });
      return new Map(rows.map(({ kioskId, version }) => [kioskId, version]));
    },
    background: (id) =>
      read('kiosk_backgrounds')
        .where({ kiosk_id: id })
        .first<KioskBackground | undefined>({ mediaType: 'media_type', image: 'image', version: 'version' }),
    setBackground: (id, background, audit) =>
      withKiosk(id, audit, async (transaction) => {
        await transaction('kiosk_backgrounds').where({ kiosk_id: id }).delete();
        if (!background) return;
        const { mediaType, image, version } = background;
        await transaction('kiosk_backgrounds').insert({
          kiosk_id: id,
          media_type: mediaType,
          image,
          version,
        });
      }),
  };
};

/** What people call a kiosk: its own name, or that of its site. Undefined when it does not exist. */
const findShownName = async (transaction: Knex, id: number): Promise<string | undefined> => {
  const row = await transaction('kiosks')
    .join('sites', 'sites.id', 'kiosks.site_id')
    .where('kiosks.id', id)
    .first<{ name: string; siteName: string } | undefined>({ name: 'kiosks.name', siteName: 'sites.name' });
  return row && (row.name || row.siteName);
};

/** Kiosks whose profile is removed go on with their next one. Those without another go with it. */
export const leaveProfile = async (transaction: Knex, profileId: number): Promise<void> => {
  const kiosks = columns.fromRows(await transaction('kiosks').select(columns.aliases));
  // The database does not check the further ids, and a kiosk can't go on with a profile that is gone.
  const known = new Set(await transaction('profiles').pluck<number[]>('id'));
  for (const kiosk of kiosks) {
    const ids = [kiosk.profileId, ...kiosk.moreProfileIds];
    const [first, ...others] = ids.filter((id) => id !== profileId && known.has(id));
    if (!ids.includes(profileId) || first === undefined) continue;
    await transaction('kiosks')
      .where({ id: kiosk.id })
      .update(columns.toRow({ profileId: first, moreProfileIds: others }));
  }
};

const toEntry = (audit: AuditDraft, id: number, shownName: string): NewAuditEntry => ({
  ...audit,
  subjectKind: 'kiosk',
  subjectId: String(id),
  subjectName: shownName,
});
