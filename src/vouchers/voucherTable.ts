import type { Knex } from 'knex';
import { batchCalls } from '../database/batch.js';
import { groupBy } from '../lib/collections.js';
import { recordAudits, type NewAuditEntry } from '../audit/auditTable.js';
import type { VoucherLimits } from '../controllers/voucherLimits.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { enqueueNotifications, type VouchersCreated } from '../webhooks/notificationTable.js';
import { storeAnswer } from './idempotencyKeyTable.js';
import { updateOrder, type PlacedOrder } from './orderTable.js';
import type { RecordedState } from './state.js';
import { raiseRevisions } from '../database/revisions.js';
import { inRepeatableTransaction, insertRows, inTransaction } from '../database/transactions.js';
import type { CreatorKind } from './origin.js';
import { toSearchWords } from './searchWords.js';

/** A recorded voucher. */
export interface Voucher extends Pick<VoucherLimits, 'maxUses' | 'expireMinutes'> {
  readonly code: string;
  readonly name: string;
  readonly status: RecordedState;
  readonly usedCount: number;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

/** As they were ordered; null for vouchers that were imported or adopted, where it is not known. */
type SpeedAndData = { readonly [Limit in 'down' | 'up' | 'quotaMb']: VoucherLimits[Limit] | null };

/** Who ordered a voucher; null for those that were imported, where it is not known. */
interface Ordered {
  /** As notifications call them. It is for reading only: a user may be called like a kiosk. */
  readonly source: string | null;
  readonly actorKind: CreatorKind | null;
  readonly actorName: string | null;
}

/** A recorded voucher with what the pages tell of it. */
export interface StoredVoucher extends Voucher, SpeedAndData, Ordered {
  readonly id: number;
  readonly siteId: number;
  readonly controllerId: number;
  /** Null when the controller did not return it. */
  readonly controllerVoucherId: string | null;
  readonly profileId: number | null;
  /** How many characters of the code are shown as a block, 0 for all of them; null for five. */
  readonly codeBlock: number | null;
  readonly revokedAt: number | null;
  /** The order that it is of; null for vouchers that were not ordered here. */
  readonly intentId: string | null;
  /** Which of its order it is. */
  readonly position: number;
}

/** A voucher that a controller has created, as it is recorded. */
export interface NewVoucher extends Voucher {
  readonly controllerVoucherId: string | null;
  /** What the controller calls it, where that is not its name. */
  readonly controllerName?: string | null;
}

/** What is stored when a controller has created the vouchers of an order; its intent is removed. */
export interface VoucherRecord extends SpeedAndData, Ordered {
  readonly intentId: string;
  readonly siteId: number;
  readonly controllerId: number;
  readonly profileId: number | null;
  readonly codeBlock?: number | null;
  /** One, or as many as exist of an order of many. */
  readonly vouchers: readonly NewVoucher[];
  readonly notification: VouchersCreated;
  /** What the audit log says of it. */
  readonly audit?: NewAuditEntry | undefined;
  /** The JSON answer to repeated requests, when the order may have an idempotency key. */
  readonly answer?: string | undefined;
  /** For a desk order that this completes: why it has fewer vouchers than ordered, if so. */
  readonly order?: Pick<PlacedOrder, 'reason'> | undefined;
}

/** The properties of a recorded voucher that the sync corrects. */
export interface VoucherCorrection extends Pick<Voucher, 'usedCount' | 'status' | 'expiresAt'> {
  readonly id: number;
  readonly siteId: number;
}

/** The properties that the sync compares with the controller. */
export interface VoucherSyncState extends VoucherCorrection, Pick<Voucher, 'maxUses'> {
  readonly controllerVoucherId: string;
}

const voucherKinds = {
  code: 'plain',
  name: 'plain',
  maxUses: 'plain',
  expireMinutes: 'plain',
  status: 'plain',
  usedCount: 'plain',
  createdAt: 'plain',
  expiresAt: 'plain',
} as const;
export const voucherColumns = defineColumns<Voucher>(voucherKinds);

const recordedKinds = {
  ...voucherKinds,
  siteId: 'plain',
  controllerId: 'plain',
  controllerVoucherId: 'plain',
  source: 'plain',
  actorKind: 'plain',
  actorName: 'plain',
  profileId: 'plain',
  codeBlock: 'plain',
  down: 'plain',
  up: 'plain',
  quotaMb: 'plain',
  intentId: 'plain',
  position: 'plain',
} as const;
export const storedVoucherColumns = defineColumns<StoredVoucher>({
  ...recordedKinds,
  id: 'plain',
  revokedAt: 'plain',
});

/** What a row is inserted from. */
interface VoucherRow extends Omit<StoredVoucher, 'id' | 'revokedAt'> {
  readonly intentId: string;
  readonly controllerName: string | null;
  /** What it is found by. A trigger puts them into the table of words. */
  readonly words: readonly string[];
}

const rowColumns = defineColumns<VoucherRow>({
  ...recordedKinds,
  controllerName: 'plain',
  words: 'json',
});

const syncStateColumns = defineColumns<VoucherSyncState>({
  id: 'plain',
  siteId: 'plain',
  controllerVoucherId: 'plain',
  maxUses: 'plain',
  usedCount: 'plain',
  status: 'plain',
  expiresAt: 'plain',
});

export interface VoucherTable {
  /**
   * Records the vouchers of an order, all or none. False when
   * one of them, or one of its intent, is already recorded.
   */
  record(record: VoucherRecord): Promise<boolean>;
  /** The vouchers recorded for an intent, in the order in which the controller returned them. */
  ofIntent(intentId: string): Promise<StoredVoucher[]>;
  /** Those of the given vouchers that exist; at most `maxVouchersPerStatement` ids. */
  byIds(ids: readonly number[]): Promise<StoredVoucher[]>;
  /** The newest vouchers of a site, newest first; among equal times the last recorded comes first. */
  newest(siteId: number, limit: number): Promise<Voucher[]>;
  /**
   * The given vouchers of a controller that are not recorded,
   * neither by the controller's voucher id nor by code and name. Code and name are compared across
   * controllers, because a console may be stored twice. With `anyName` the code alone decides.
   */
  unrecorded<
    T extends Pick<Voucher, 'name'> & { readonly id: string | null; readonly code: string | undefined },
  >(
    controllerId: number,
    created: readonly T[],
    anyName?: boolean,
  ): Promise<T[]>;
  /** The number of vouchers recorded for these sites. */
  count(siteIds: readonly number[]): Promise<number>;
  /** A page of the controller's ids of a site's unexpired vouchers, sorted, after the given id. */
  unexpiredIds(controllerId: number, siteId: number, after: string, limit: number): Promise<string[]>;
  /** The recorded states of a controller's vouchers; at most `maxVouchersPerStatement` ids. */
  states(controllerId: number, controllerVoucherIds: readonly string[]): Promise<VoucherSyncState[]>;
  /**
   * Corrects at most `maxVouchersPerStatement` vouchers atomically, and raises the revisions of their sites.
   */
  correct(states: readonly VoucherCorrection[]): Promise<void>;
  /** Marks a voucher as revoked, unless it is already; the sync leaves it alone then. */
  revoke(voucher: Pick<StoredVoucher, 'id' | 'siteId'>, at: number, audit: NewAuditEntry): Promise<void>;
}

/** Keeps statements short and below the limit of parameters. */
export const maxVouchersPerStatement = 500;

/** The table of recorded vouchers. Every change raises the revisions of their sites. */
export const makeVoucherTable = ({ read, write }: Database): VoucherTable => ({
  record: batchCalls((records) =>
    // The vouchers already exist, so a lost connection must not lose their record;
    // repeating never records them twice.
    inRepeatableTransaction(write, async (transaction) => {
      const open = await withoutRecorded(transaction, records);
      const inserted = await insertVouchers(transaction, open);
      const recorded = open.filter(
        ({ intentId, vouchers }) => inserted.get(intentId)?.length === vouchers.length,
      );
      const recordedSet = new Set(recorded);
      const partial = open.filter((record) => !recordedSet.has(record));
      const ids = partial.flatMap(({ intentId }) => inserted.get(intentId) ?? []);
      if (ids.length > 0) await transaction('vouchers').whereIn('id', ids).delete();
      if (recorded.length > 0) {
        await enqueueNotifications(
          transaction,
          recorded.map(({ notification }) => notification),
        );
        await recordAudits(
          transaction,
          recorded.flatMap(({ audit }) => audit ?? []),
        );
        for (const { intentId, answer, order, vouchers } of recorded) {
          if (answer !== undefined) await storeAnswer(transaction, intentId, answer);
          if (order)
            await updateOrder(transaction, intentId, { ...order, state: 'made', made: vouchers.length });
        }
        await transaction('intents')
          .whereIn(
            'id',
            recorded.map(({ intentId }) => intentId),
          )
          .delete();
        await raiseRevisions(
          transaction,
          recorded.map(({ siteId }) => `site:${siteId}` as const),
        );
      }
      return records.map((record) => recordedSet.has(record));
    }),
  ),
  ofIntent: async (intentId) =>
    storedVoucherColumns.fromRows(
      await read('vouchers')
        .select(storedVoucherColumns.aliases)
        .where('intent_id', intentId)
        .orderBy('position'),
    ),
  byIds: async (ids) =>
    storedVoucherColumns.fromRows(
      await read('vouchers').select(storedVoucherColumns.aliases).whereIn('id', ids).orderBy('id'),
    ),
  newest: async (siteId, limit) =>
    voucherColumns.fromRows(
      await read('vouchers')
        .select(voucherColumns.aliases)
        .where('site_id', siteId)
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit),
    ),
  unrecorded: async (controllerId, created, anyName = false) => {
    const unrecorded: (typeof created)[number][] = [];
    for (let start = 0; start < created.length; start += maxVouchersPerStatement) {
      const batch = created.slice(start, start + maxVouchersPerStatement);
      const ids = await read('vouchers')
        .where('controller_id', controllerId)
        .whereIn(
          'controller_voucher_id',
          batch.flatMap(({ id }) => id ?? []),
        )
        .pluck<string[]>('controller_voucher_id');
      const rows = await read('vouchers')
        .whereIn(
          'code',
          batch.flatMap(({ code }) => code ?? []),
        )
        .select<{ code: string; name: string }[]>(
          'code',
          read.raw('coalesce(controller_name, name) as name'),
        );
      const known = new Set(ids);
      for (const voucher of batch) {
        const isRecorded =
          (voucher.id !== null && known.has(voucher.id)) ||
          rows.some(({ code, name }) => code === voucher.code && (anyName || name === voucher.name));
        if (!isRecorded) unrecorded.push(voucher);
      }
    }
    return unrecorded;
  },
  count: async (siteIds) => {
    const row = await read('vouchers')
      .whereIn('site_id', siteIds)
      .first<{ count: number } | undefined>(read.raw('count(*) as count'));
    return row?.count ?? 0;
  },
  unexpiredIds: (controllerId, siteId, after, limit) =>
    read('vouchers')
      .where({ controller_id: controllerId, site_id: siteId })
      .where('controller_voucher_id', '>', after)
      // Literally, for the partial index of unexpired vouchers.
      .whereRaw("status <> 'expired'")
      .orderBy('controller_voucher_id')
      .limit(limit)
      .pluck<string[]>('controller_voucher_id'),
  states: async (controllerId, ids) =>
    syncStateColumns.fromRows(
      await read('vouchers')
        .select(syncStateColumns.aliases)
        .where('controller_id', controllerId)
        .whereIn('controller_voucher_id', ids),
    ),
  correct: async (states) => {
    if (states.length === 0) return;
    await inTransaction(write, async (transaction) => {
      // A single statement, because recording vouchers waits for
      // the writer meanwhile. One that is back has not ended.
      const rows = states.map(
        () => '(cast(? as bigint), cast(? as integer), cast(? as text), cast(? as bigint))',
      );
      await transaction.raw(
        `with seen (id, used_count, status, expires_at) as (values ${rows.join(', ')})
         update vouchers set used_count = seen.used_count, status = seen.status, expires_at = seen.expires_at,
           ended_at = case when seen.status = 'expired' then vouchers.ended_at end
         from seen where vouchers.id = seen.id and vouchers.revoked_at is null`,
        states.flatMap(({ id, usedCount, status, expiresAt }) => [id, usedCount, status, expiresAt]),
      );
      await raiseRevisions(
        transaction,
        states.map(({ siteId }) => `site:${siteId}` as const),
      );
    });
  },
  revoke: ({ id, siteId }, at, audit) =>
    inTransaction(write, async (transaction) => {
      const revoked = await transaction('vouchers')
        .where({ id })
        .whereNull('revoked_at')
        .update({ revoked_at: at, status: 'expired' });
      if (revoked === 0) return;
      await recordAudits(transaction, [audit]);
      await raiseRevisions(transaction, [`site:${siteId}`]);
    }),
});

/**
 * The records that may still be inserted, one for each intent. The intents of orders are locked first:
 * two processes that record the vouchers of one order at other positions would wait for each other.
 */
const withoutRecorded = async (
  transaction: Knex,
  records: readonly VoucherRecord[],
): Promise<VoucherRecord[]> => {
  const byIntent = new Map(records.toReversed().map((record) => [record.intentId, record]));
  const ids = [...byIntent.values()].flatMap(({ intentId, order }) => (order ? [intentId] : [])).sort();
  for (const id of ids) await transaction('intents').where({ id }).update({ has_order: true });
  const recorded =
    ids.length === 0
      ? []
      : await transaction('vouchers').whereIn('intent_id', ids).distinct().pluck<string[]>('intent_id');
  for (const id of recorded) byIntent.delete(id);
  return [...byIntent.values()];
};

/** Inserts the vouchers that are not recorded, and returns their ids by intent. */
const insertVouchers = async (
  transaction: Knex,
  records: readonly VoucherRecord[],
): Promise<ReadonlyMap<string, readonly number[]>> => {
  // Always in the same order, so that two processes that record the same vouchers can't deadlock.
  const rows = records.flatMap(toRows).sort((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0));
  const inserted: { id: number; intent_id: string }[] = [];
  for (let start = 0; start < rows.length; start += maxVouchersPerStatement)
    inserted.push(
      ...(await insertRows<{ id: number; intent_id: string }>(
        transaction,
        'vouchers',
        rows.slice(start, start + maxVouchersPerStatement).map(rowColumns.toRow),
        { ignoresConflicts: true, returning: ['id', 'intent_id'] },
      )),
    );
  return new Map(
    [...groupBy(inserted, ({ intent_id }) => intent_id)].map(([id, own]) => [id, own.map((row) => row.id)]),
  );
};

const toRows = ({ vouchers, ...record }: VoucherRecord): VoucherRow[] =>
  vouchers.map((voucher, position) => ({
    ...record,
    codeBlock: record.codeBlock ?? null,
    controllerName: null,
    ...voucher,
    position,
    words: [...new Set([...toSearchWords(voucher), ...wordsOfList(voucher)])],
  }));

/**
 * A voucher of a list is also found by the name of the list,
 * by which all of them are called on the controller.
 */
const wordsOfList = ({ code, controllerName }: VoucherRecord['vouchers'][number]): string[] =>
  controllerName ? toSearchWords({ name: controllerName, code }) : [];
