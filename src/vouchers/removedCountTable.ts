import type { Knex } from 'knex';
import { stateSql } from './state.js';

/** The length of the spans that vouchers are counted in: every time zone begins its days at one. */
export const quarterMs = 900_000;

/** What a voucher is counted by, as columns. */
export const countedColumns = [
  'quarter',
  'site_id',
  'creator_kind',
  'creator',
  'profile_id',
  'state',
] as const;

/** The columns that vouchers are counted by, and the counts; the state is the one at a time. */
export const countedSql = (now: number): { readonly sql: string; readonly bindings: readonly number[] } => {
  const state = stateSql(now);
  return {
    sql: `created_at / ${String(quarterMs)} as quarter, site_id, coalesce(actor_kind, '') as creator_kind,
      coalesce(actor_name, source, '') as creator, coalesce(profile_id, 0) as profile_id, ${state.sql} as state,
      count(*) as created, sum(case when used_count > 0 then 1 else 0 end) as used`,
    bindings: state.bindings,
  };
};

/**
 * Adds vouchers that are about to be removed to the counts that reports keep, in the transaction that removes
 * them.
 */
export const countRemoved = async (transaction: Knex, ids: readonly number[], now: number): Promise<void> => {
  const { sql, bindings } = countedSql(now);
  const columns = countedColumns.join(', ');
  await transaction.raw(
    `insert into removed_voucher_counts (${columns}, created, used)
     select * from (select ${sql} from vouchers where id in (${ids.map(() => '?').join(', ')}) group by 1, 2, 3, 4, 5, 6) as removed
     where true order by 1, 2, 3, 4, 5, 6
     on conflict (${columns}) do update set
       created = removed_voucher_counts.created + excluded.created,
       used = removed_voucher_counts.used + excluded.used`,
    [...bindings, ...ids],
  );
};
