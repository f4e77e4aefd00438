import type { Knex } from 'knex';
import type { Database } from '../../../src/database/database.js';
import { planSearch } from '../../../src/vouchers/search/searchPlan.js';
import { makeVoucherFinder } from '../../../src/vouchers/search/voucherFinder.js';
import { searchedAt, type SearchCase } from './cases.js';

/** What a page of a search took, counted and not timed. */
export interface SearchWork {
  readonly found: number;
  /** Whether the page says that there is more to look through. */
  readonly hasNext: boolean;
  /** Entries of indexes and rows that the database looked at. */
  readonly rows: number;
  /** Pages of tables and indexes that PostgreSQL looked at. SQLite does not tell. */
  readonly pages?: number;
}

const limit = 100;

/** Searches once and counts what the database looked at. */
export const countWork = async (
  database: Database,
  [, criteria, before]: SearchCase,
): Promise<SearchWork> => {
  const statements: { sql: string; bindings: Knex.RawBinding[] }[] = [];
  const note = (statement: (typeof statements)[number]): void => void statements.push(statement);
  database.read.on('query', note);
  const page = await makeVoucherFinder(database)
    .find(criteria, { before, limit, now: searchedAt })
    .finally(() => database.read.removeListener('query', note));
  const counted = { found: page.vouchers.length, hasNext: page.next !== undefined };
  if (database.dialect === 'postgres') {
    let [rows, pages] = [0, 0];
    for (const { sql, bindings } of statements) {
      const analyzed = await analyze(database.read, sql, bindings);
      rows += countScanned(analyzed);
      pages += analyzed['Shared Hit Blocks'] + analyzed['Shared Read Blocks'];
    }
    return { ...counted, rows, pages };
  }
  const { entries } = await planSearch(database, criteria, { before, now: searchedAt });
  // A page that is full was not read further.
  const last = page.vouchers.length === limit ? page.vouchers.at(-1) : undefined;
  let rows = 0;
  for (const probed of entries.probed) rows += await countRows(database.read, probed);
  // Each entry, and its voucher.
  for (const read of entries.read) rows += 2 * (await countRows(database.read, read, last));
  return { ...counted, rows };
};

const countRows = async (
  read: Knex,
  query: Knex.QueryBuilder,
  last?: { readonly createdAt: number; readonly id: number },
): Promise<number> => {
  const counted = read.from(query.as('looked_at'));
  if (last) void counted.whereRaw('(createdAt, id) >= (?, ?)', [last.createdAt, last.id]);
  const row = await counted.first<{ count: number } | undefined>(read.raw('count(*) as count'));
  return row?.count ?? 0;
};

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

const analyze = async (read: Knex, sql: string, bindings: Knex.RawBinding[]): Promise<PlanNode> => {
  const statement = sql.replaceAll(/\$\d+/g, '?');
  const { rows } = await read.raw<{ rows: { 'QUERY PLAN': { Plan: PlanNode }[] }[] }>(
    `explain (analyze, buffers, format json) ${statement}`,
    bindings,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('there is no plan');
  return plan;
};

/** The rows that all scans of a statement looked at. */
const countScanned = (node: PlanNode): number => {
  const plans = node.Plans ?? [];
  if (plans.length > 0) return plans.reduce((sum, plan) => sum + countScanned(plan), 0);
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + removed) * node['Actual Loops'];
};
