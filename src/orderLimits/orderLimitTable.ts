import type { Knex } from 'knex';
import { recordAudit, type AuditDraft, type NewAuditEntry } from '../audit/auditTable.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { inTransaction } from '../database/transactions.js';

/** What a role may order, everywhere or at one site. Null is no limit. */
export interface OrderLimit {
  readonly id: number;
  /** A role of users, or `kiosk`. A later version may know more. */
  readonly role: string;
  /** Null: at all sites for which the role has no rule of its own. */
  readonly siteId: number | null;
  /** May values be ordered that are not those of a profile? */
  readonly allowsCustom: boolean;
  readonly maxExpireMinutes: number | null;
  /** How often a voucher may be used. */
  readonly maxUses: number | null;
  /** How many vouchers an order may have. */
  readonly maxCount: number | null;
  /** How many vouchers each user or kiosk may order in a day. */
  readonly maxPerDay: number | null;
  /** Does an order have to say whom it is for? */
  readonly requiresName: boolean;
}

export type OrderLimitValues = Omit<OrderLimit, 'id'>;

const columns = defineColumns<OrderLimit>({
  id: 'plain',
  role: 'plain',
  siteId: 'plain',
  allowsCustom: 'boolean',
  maxExpireMinutes: 'plain',
  maxUses: 'plain',
  maxCount: 'plain',
  maxPerDay: 'plain',
  requiresName: 'boolean',
});

/** Why a rule was not added, changed or removed. */
export type OrderLimitConflict = 'limit-taken' | 'unknown-site' | 'unknown-limit';

export interface OrderLimitTable {
  /** By role, those for all sites first. */
  all(): Promise<OrderLimit[]>;
  /** Returns the new one's id. */
  add(values: OrderLimitValues, audit: AuditDraft): Promise<number | OrderLimitConflict>;
  /** Replaces all of it. */
  change(id: number, values: OrderLimitValues, audit: AuditDraft): Promise<'changed' | OrderLimitConflict>;
  remove(id: number, audit: AuditDraft): Promise<'removed' | OrderLimitConflict>;
}

/** The table of rules. Every change raises their revision. */
export const makeOrderLimitTable = ({ read, write }: Database): OrderLimitTable => {
  /**
   * Raising the revision first locks out other such transactions,
   * so what this one reads still holds when it writes.
   */
  const inLimitTransaction = <T>(work: (transaction: Knex) => Promise<T>): Promise<T> =>
    inTransaction(write, async (transaction) => {
      await raiseRevisions(transaction, ['limits']);
      return work(transaction);
    });

  const findConflict = async (
    transaction: Knex,
    id: number,
    { role, siteId }: OrderLimitValues,
  ): Promise<'limit-taken' | 'unknown-site' | undefined> => {
    if (siteId !== null && !(await findSiteName(transaction, siteId))) return 'unknown-site';
    const taken = await transaction('order_limits')
      .where({ role, site_id: siteId })
      .whereNot({ id })
      .first<{ id: number } | undefined>('id');
    return taken ? 'limit-taken' : undefined;
  };

  return {
    all: async () =>
      columns
        .fromRows(await read('order_limits').select(columns.aliases).orderBy(['role', 'id']))
        .sort((a, b) => (a.role === b.role ? (a.siteId ?? 0) - (b.siteId ?? 0) : 0)),
    add: (values, audit) =>
      inLimitTransaction(async (transaction) => {
        const conflict = await findConflict(transaction, 0, values);
        if (conflict) return conflict;
        const [row] = await transaction('order_limits')
          .insert(columns.toNewRow(values))
          .returning<{ id: number }[]>('id');
        const id = row?.id ?? 0;
        await recordAudit(transaction, await toEntry(transaction, audit, id, values));
        return id;
      }),
    change: (id, values, audit) =>
      inLimitTransaction(async (transaction) => {
        if (!(await findRule(transaction, id))) return 'unknown-limit';
        const conflict = await findConflict(transaction, id, values);
        if (conflict) return conflict;
        await transaction('order_limits').where({ id }).update(columns.toRow(values));
        await recordAudit(transaction, await toEntry(transaction, audit, id, values));
        return 'changed';
      }),
    remove: (id, audit) =>
      inLimitTransaction(async (transaction) => {
        const found = await findRule(transaction, id);
        if (!found) return 'unknown-limit';
        await transaction('order_limits').where({ id }).delete();
        await recordAudit(transaction, await toEntry(transaction, audit, id, found));
        return 'removed';
      }),
  };
};

const findRule = async (transaction: Knex, id: number): Promise<OrderLimit | undefined> =>
  columns.fromRows(await transaction('order_limits').select(columns.aliases).where({ id }))[0];

const findSiteName = async (transaction: Knex, id: number): Promise<string | undefined> =>
  (await transaction('sites').where({ id }).first<{ name: string } | undefined>('name'))?.name;

/** The audit log names a rule by its site; the details have the role. */
const toEntry = async (
  transaction: Knex,
  audit: AuditDraft,
  id: number,
  { role, siteId }: OrderLimitValues,
): Promise<NewAuditEntry> => ({
  ...audit,
  detail: { role, ...audit.detail },
  subjectKind: 'limit',
  subjectId: String(id),
  subjectName: siteId === null ? null : ((await findSiteName(transaction, siteId)) ?? null),
});

/**
 * Locks rules until the transaction ends, and returns how many vouchers a day each allows: orders that count
 * against the same rule are stored one after the other. A rule that is gone limits nothing. By an update,
 * because SQLite has no other lock; in the order of their ids, so that two transactions can't deadlock.
 */
export const lockDailyLimits = async (
  transaction: Knex,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, number | null>> => {
  const limits = new Map<number, number | null>();
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const [row] = await transaction('order_limits')
      .where({ id })
      .update({ role: transaction.ref('role') })
      .returning<{ most: number | null }[]>('max_per_day as most');
    if (row) limits.set(id, row.most);
  }
  return limits;
};
