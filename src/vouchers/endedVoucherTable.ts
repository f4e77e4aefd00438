import type { Knex } from 'knex';
import { countRemoved } from './removedCountTable.js';
import type { Database } from '../database/database.js';
import { groupBy } from '../lib/collections.js';
import { raiseRevisions } from '../database/revisions.js';
import { countChosenRows, deleteBatch, inTransaction } from '../database/transactions.js';

/** Which vouchers that ended are removed. */
export interface EndedBounds {
  /** They ended before this time. */
  readonly endedBefore: number;
  /** And were created before this one: an open order may still be looking for a voucher that is as young. */
  readonly createdBefore: number;
}

/** The same for the sites of all controllers: an open order looks for vouchers on its own controller only. */
export interface SiteBounds extends Pick<EndedBounds, 'endedBefore'> {
  createdBefore(controllerId: number): number;
}

/** What was removed together. */
export interface RemovedVouchers {
  readonly vouchers: number;
  /** E-mails and SMS with these vouchers. */
  readonly emails: number;
  /** Orders without any voucher left. */
  readonly orders: number;
}

/** A site with work to do. */
export interface SiteWithEnded {
  readonly siteId: number;
  readonly bounds: EndedBounds;
  /** Has it vouchers to remove? */
  readonly hasRemovable: boolean;
  /** Does it have vouchers whose end is not known? */
  readonly hasUndated: boolean;
}

/**
 * Vouchers that ended: revoked, expired or gone, as their controller says. One that was used up,
 * or whose expiry has passed, ends when its controller says so.
 * Vouchers with an e-mail or SMS that waits to be sent are not among them.
 */
export interface EndedVoucherTable {
  /** The sites with work to do. */
  sites(bounds: SiteBounds): AsyncIterable<SiteWithEnded>;
  /**
   * Notes for a batch of a site's vouchers without any time that they have ended now, and returns how many.
   */
  date(siteId: number, now: number, limit: number): Promise<number>;
  /**
   * Removes a batch of a site's vouchers with all that belongs
   * to them, in one transaction. Reports still count them.
   */
  remove(siteId: number, bounds: EndedBounds, limit: number): Promise<RemovedVouchers>;
  /**
   * Records a batch of vouchers as expired whose controller was removed, and can't say it. Returns how many.
   */
  expireAbandoned(expiredBefore: number, limit: number): Promise<number>;
  /** How many vouchers there are to remove, at most `limit`. */
  count(bounds: SiteBounds, limit: number): Promise<number>;
}

/** Literally the expression of the index `vouchers_ended`. */
const endSql = 'coalesce(revoked_at, expires_at, ended_at)';

/** How many sites one statement looks at. */
const maxSitesPerStatement = 500;

const nothing: RemovedVouchers = { vouchers: 0, emails: 0, orders: 0 };

export const makeEndedVoucherTable = ({ dialect, read, write }: Database): EndedVoucherTable => ({
  sites: async function* (allBounds) {
    for await (const { siteIds, bounds } of siteBatches(read, allBounds)) {
      const ofSite = () => read('vouchers').select(read.raw('1')).whereRaw('site_id = sites.id').limit(1);
      // Subqueries with a limit are run site by site: each is one step in the index.
      const sites = await read('sites')
        .whereIn('id', siteIds)
        .orderBy('id')
        .select<{ siteId: number; removable: number | null; undated: number | null }[]>(
          { siteId: 'id' },
          whereRemovable(ofSite(), bounds).as('removable'),
          whereUndated(ofSite()).as('undated'),
        );
      for (const { siteId, removable, undated } of sites)
        if (removable !== null || undated !== null)
          yield { siteId, bounds, hasRemovable: removable !== null, hasUndated: undated !== null };
    }
  },
  date: (siteId, now, limit) =>
    write('vouchers')
      .whereIn(
        'id',
        whereUndated(write('vouchers').select('id').where('site_id', siteId)).orderBy('id').limit(limit),
      )
      .update({ ended_at: now }),
  remove: (siteId, bounds, limit) =>
    inTransaction(write, async (transaction) => {
      const raise = (names: Parameters<typeof raiseRevisions>[1]): Promise<void> =>
        raiseRevisions(transaction, names);
      // SQLite takes its lock with the first write, and what is read after it stays true.
      // On PostgreSQL orders of the site would wait for the revision, so it comes last.
      if (dialect === 'sqlite') await raise([`site:${siteId}`]);
      const chosen = await selectForRemoval(transaction, dialect, { siteId, bounds, limit });
      if (chosen.length === 0) return nothing;
      const removed = await removeChosen(transaction, dialect, chosen, bounds.endedBefore);
      if (dialect === 'postgres') await raise([`site:${siteId}`]);
      if (removed.orders > 0) await raise(['orders']);
      return removed;
    }),
  expireAbandoned: async (expiredBefore, limit) => {
    const removed = await read('controllers').whereNotNull('removed_at').pluck<number[]>('id');
    if (removed.length === 0) return 0;
    const overdue = write('vouchers')
      .select('id')
      // Literally, for the partial index of overdue vouchers.
      .whereRaw("expires_at is not null and status <> 'expired' and revoked_at is null")
      .where('expires_at', '<', expiredBefore)
      .whereIn('controller_id', write('controllers').select('id').whereNotNull('removed_at'))
      .limit(limit);
    // Readers see no difference: their time has passed long ago.
    return write('vouchers').whereIn('id', overdue).update({ status: 'expired' });
  },
  count: async (allBounds, limit) => {
    let count = 0;
    for await (const { siteIds, bounds } of siteBatches(read, allBounds)) {
      const left = limit - count;
      if (left <= 0) break;
      count += await countChosenRows(
        read,
        'vouchers',
        (vouchers) => whereRemovable(vouchers.whereIn('site_id', siteIds), bounds),
        left,
      );
    }
    return count;
  },
});

interface SiteBatch {
  readonly siteIds: readonly number[];
  readonly bounds: EndedBounds;
}

/** Sites that have the same bounds, which are nearly all of them: few controllers have open orders. */
const siteBatches = async function* (
  read: Knex,
  { endedBefore, createdBefore }: SiteBounds,
): AsyncGenerator<SiteBatch> {
  const sites = await read('sites')
    .orderBy('id')
    .select<{ id: number; controllerId: number }[]>('id', { controllerId: 'controller_id' });
  // The controller of a site never changes, so its vouchers are on that one.
  const groups = groupBy(sites, ({ controllerId }) => createdBefore(controllerId));
  for (const [before, group] of groups)
    for (let start = 0; start < group.length; start += maxSitesPerStatement)
      yield {
        siteIds: group.slice(start, start + maxSitesPerStatement).map(({ id }) => id),
        bounds: { endedBefore, createdBefore: before },
      };
};

const whereRemovable = (
  vouchers: Knex.QueryBuilder,
  { endedBefore, createdBefore }: EndedBounds,
): Knex.QueryBuilder =>
  vouchers
    // Literally, for the partial index.
    .whereRaw("status = 'expired'")
    .whereRaw(`${endSql} < ?`, [endedBefore])
    .where('created_at', '<', createdBefore)
    .whereNotExists((unsent) =>
      unsent
        .from('outbox')
        .select('id')
        .whereRaw('outbox.voucher_id = vouchers.id')
        .where('state', 'waiting'),
    );

const whereUndated = (vouchers: Knex.QueryBuilder): Knex.QueryBuilder =>
  vouchers.whereRaw("status = 'expired'").whereRaw(`${endSql} is null`);

interface ChosenVoucher {
  readonly id: number;
  readonly created_at: number;
  readonly intent_id: string | null;
  /** As JSON. */
  readonly words: string;
}

/** Skips what others lock: waiting for them here could end in a deadlock. */
const selectForRemoval = async (
  transaction: Knex,
  dialect: Database['dialect'],
  { siteId, bounds, limit }: { siteId: number; bounds: EndedBounds; limit: number },
): Promise<ChosenVoucher[]> => {
  const chosen = whereRemovable(transaction('vouchers').where('site_id', siteId), bounds)
    .select<ChosenVoucher[]>('id', 'created_at', 'intent_id', 'words')
    .limit(limit);
  if (dialect === 'sqlite') return chosen;
  const locked = await chosen.forUpdate('vouchers').skipLocked();
  // That statement does not see what was put into the outbox
  // after it had begun. With the locks nothing is added.
  const unsent = await transaction('outbox')
    .where('state', 'waiting')
    .whereIn(
      'voucher_id',
      locked.map(({ id }) => id),
    )
    .pluck<number[]>('voucher_id');
  return locked.filter(({ id }) => !unsent.includes(id));
};

const removeChosen = async (
  transaction: Knex,
  dialect: Database['dialect'],
  chosen: readonly ChosenVoucher[],
  now: number,
): Promise<RemovedVouchers> => {
  const ids = chosen.map(({ id }) => id);
  // On SQLite a trigger does it.
  if (dialect === 'postgres') await removeWords(transaction, chosen);
  await countRemoved(transaction, ids, now);
  const emails = await transaction('outbox').whereIn('voucher_id', ids).delete();
  const vouchers = await transaction('vouchers').whereIn('id', ids).delete();
  const intentIds = [...new Set(chosen.flatMap(({ intent_id: id }) => id ?? []))];
  await moveUpInOrders(transaction, intentIds);
  const remaining = transaction('vouchers').select('id').whereRaw('vouchers.intent_id = orders.id');
  const orders = await deleteBatch(transaction, { table: 'orders', key: 'id' }, (rows) =>
    rows.whereIn('id', intentIds).whereNot('state', 'open').whereNotExists(remaining),
  );
  return { vouchers, emails, orders };
};

/** Lists show an order by its first voucher: where that is gone, the next one of the order is the first. */
const moveUpInOrders = async (transaction: Knex, intentIds: readonly string[]): Promise<void> => {
  if (intentIds.length === 0) return;
  const earlier = transaction('vouchers as earlier')
    .select(transaction.raw('1'))
    .whereRaw('earlier.intent_id = vouchers.intent_id and earlier.position < vouchers.position');
  await transaction('vouchers')
    .whereIn('intent_id', intentIds)
    .where('position', '>', 0)
    .whereNotExists(earlier)
    .update({ position: 0 });
};

/**
 * By the whole key of each, as one JSON text: PostgreSQL
 * expects few rows of it, and looks each up by the index.
 */
const removeWords = async (transaction: Knex, chosen: readonly ChosenVoucher[]): Promise<void> => {
  const rows = chosen.flatMap(({ id, created_at, words }) =>
    (JSON.parse(words) as string[]).map((word) => ({ word, created_at, voucher_id: id })),
  );
  await transaction.raw(
    `delete from voucher_words using json_populate_recordset(null::voucher_words, ?) as gone
     where voucher_words.word = gone.word and voucher_words.created_at = gone.created_at
       and voucher_words.voucher_id = gone.voucher_id`,
    [JSON.stringify(rows)],
  );
};
