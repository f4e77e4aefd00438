import type { Knex } from 'knex';
import type { Database } from '../../../src/database/database.js';
import type { Tables } from '../../../src/app/tables.js';
import { planSearch } from '../../../src/vouchers/search/searchPlan.js';
import type { VoucherCriteria, VoucherPosition } from '../../../src/vouchers/search/voucherCriteria.js';
import { possibleCreators } from '../../../src/vouchers/origin.js';

/** When the first voucher was made; each is a minute younger than the one before. */
export const firstAt = Date.parse('2026-01-01T00:00:00.000Z');
const minuteMs = 60_000;
/** No voucher of the samples has expired since its status was stored. */
export const searchedAt = firstAt;

export const sampleSites = 10;

/** The sample that is searched for: no other has a block of its code, or the last word of its name. */
const known = { number: 1000, code: '9999995555' };

/** The room of a few guests: no code begins like it. */
export const rareRoom = '9777';
const roomSql = `case when i between 901 and 920 then '${rareRoom}' else cast(i % 50 as text) end`;

/** The code of a sample: two blocks of five digits, spread like those of a controller. */
const codeSql = `case when i = ${String(known.number)} then '${known.code}'
  else cast(10000 + (i * 7919) % 79999 as text) || cast(10000 + (i * 7907) % 80000 as text) end`;

/** Adds sites, and vouchers in all states, without asking for each. The first is as old as is said. */
export const seedVouchers = async (
  { dialect, write }: Database,
  tables: Tables,
  count: number,
  first = firstAt,
): Promise<void> => {
  const controller = { name: 'samples', kind: 'simulated', settings: {} };
  const controllerId = await tables.controllers.add(controller, firstAt);
  for (let site = 1; site <= sampleSites; site += 1)
    await tables.sites.add(
      { name: `Haus ${String(site)}`, active: true, controllerId, controllerSite: String(site) },
      firstAt,
    );
  const numbers =
    dialect === 'postgres'
      ? 'select i from generate_series(1::bigint, cast(? as bigint)) as numbers (i)'
      : 'with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ?) select i from numbers';
  // The words of a million vouchers come in no order; from the disk, each would take a page.
  if (dialect === 'sqlite') await write.raw('pragma cache_size = -1000000');
  await write.raw(
    `insert into vouchers (site_id, code, name, max_uses, expire_minutes, controller_id, controller_voucher_id,
       intent_id, status, used_count, created_at, source, actor_kind, profile_id, revoked_at, words)
     select 1 + i % ${String(sampleSites)}, code, '2026-01-01_Zimmer ' || room || ' Gast' || i || 'x', 1, 480,
       ${String(controllerId)}, 'v' || i, 'i' || i,
       case when i % 10 < 5 then 'valid' when i % 10 < 7 then 'used' when i % 10 < 9 then 'expired' else 'valid' end,
       case when i % 10 in (4, 5, 6) then 1 else 0 end,
       ${String(first)} + i * ${String(minuteMs)},
       case when i % 8 = 0 then 'Anna Berger' else 'API: Buchungssystem' end,
       case when i % 8 = 0 then 'user' else 'key' end,
       case when i % 4 = 0 then 1 + i % 3 end,
       case when i % 10 = 9 then ${String(first)} end,
       '["zimmer","' || room || '","gast' || i || 'x","' || code || '","' || substr(code, 6) || '"]'
     from (select i, ${codeSql} as code, ${roomSql} as room from (${numbers}) as counted) as samples`,
    [count],
  );
  await write.raw(dialect === 'postgres' ? 'vacuum analyze' : 'analyze');
};

/** Where somebody is who has scrolled past all but the 500 oldest samples. */
const scrolledTo = { createdAt: firstAt + 500 * minuteMs, id: 500 };

/** A search, and what it is called. */
export type SearchCase = readonly [name: string, criteria: VoucherCriteria, before?: VoucherPosition];

/** Every criterion of the search, by examples whose pages are the same however many vouchers there are. */
export const searchCases: readonly SearchCase[] = [
  ['nothing', {}],
  ['nothing, after scrolling far', {}, scrolledTo],
  ['beginning of a code', { words: [known.code.slice(0, 8)] }],
  ['code with dash, partly', { words: [known.code.slice(0, 5), known.code.slice(5, 9)] }],
  ['whole code', { words: [known.code] }],
  ['second block of a code', { words: [known.code.slice(5)] }],
  ['rare word of the name', { words: [`gast${String(known.number)}x`] }],
  ['common word of the name', { words: ['zimmer'] }],
  ['common word, after scrolling far', { words: ['zimmer'] }, scrolledTo],
  ['beginning of a common word', { words: ['zi'] }],
  ['beginning that many words have', { words: ['gast'] }],
  ['two words of the name', { words: ['zim', `gast${String(known.number)}x`] }],
  ['state: valid', { state: 'valid' }],
  ['state: in-use', { state: 'in-use' }],
  ['state: used', { state: 'used' }],
  ['state: expired', { state: 'expired' }],
  ['state: revoked', { state: 'revoked' }],
  ['site', { siteIds: [3] }],
  ['three sites', { siteIds: [3, 5, 7] }],
  ['profile', { profileId: 2 }],
  ['who created it', { creators: possibleCreators('Anna Berger') }],
  ['date', { from: firstAt + 500 * minuteMs, to: firstAt + 900 * minuteMs }],
  ['one row for each order', { onlyFirstOfOrder: true }],
  ['one row for each order, after scrolling far', { onlyFirstOfOrder: true }, scrolledTo],
];

const singleCriteria: readonly SearchCase[] = [
  ['common word', { words: ['zimmer'] }],
  ['rare word', { words: [rareRoom] }],
  ['beginning of many words', { words: ['gast'] }],
  ['word that no voucher has', { words: ['nirgends'] }],
  ['eight beginnings of words', { words: ['z', 'g', '1', '2', '3', '4', '5', '6'] }],
  ...(['valid', 'in-use', 'used', 'expired', 'revoked'] as const).map((state): SearchCase => [
    state,
    { state },
  ]),
  ['site', { siteIds: [3] }],
  ['three sites', { siteIds: [3, 5, 7] }],
  ['all sites', { siteIds: Array.from({ length: sampleSites + 5 }, (_, index) => index + 1) }],
  ['profile', { profileId: 2 }],
  ['creator', { creators: possibleCreators('Anna Berger') }],
  ['unknown creator', { creators: possibleCreators('nobody') }],
  ['date', { from: firstAt + 500 * minuteMs, to: firstAt + 900 * minuteMs }],
];

const sharesKind = (one: VoucherCriteria, other: VoucherCriteria): boolean =>
  Object.keys(one).some((kind) => kind !== 'words' && kind in other);

/** Every pair of criteria. No voucher has some of them: where one site has no voucher in one state, for example. */
export const searchPairs: readonly SearchCase[] = singleCriteria.flatMap(([name, criteria], index) =>
  singleCriteria.slice(index + 1).flatMap(([otherName, other]): SearchCase[] => {
    if (sharesKind(criteria, other)) return [];
    const words = [...(criteria.words ?? []), ...(other.words ?? [])];
    return [[`${name} + ${otherName}`, { ...criteria, ...other, ...(words.length > 0 && { words }) }]];
  }),
);

/** What a desk searches for. */
export const usualSearches: readonly SearchCase[] = [
  ['room and its number', { words: ['zimmer', rareRoom] }],
  ['site, state and word', { siteIds: [3], state: 'used', words: ['zimmer'] }],
  [
    'site, state, word and creator',
    { siteIds: [3], state: 'valid', words: ['zi'], creators: possibleCreators('Anna Berger') },
  ],
];

/** How the database answers: the indexes that it uses, and whether it reads a whole table. */
export interface ExplainedSearch {
  /** In the words of the database. */
  readonly steps: readonly string[];
  readonly indexes: readonly string[];
  readonly readsWholeTable: boolean;
}

export const explainSearch = async (
  { dialect, read }: Database,
  criteria: VoucherCriteria,
  before?: VoucherPosition,
): Promise<ExplainedSearch> => {
  const { queries } = await planSearch({ dialect, read }, criteria, { before, now: searchedAt });
  const plans = await Promise.all(
    queries.map((query) => explain(read, dialect, query.limit(101).select('vouchers.id', 'vouchers.name'))),
  );
  return readPlans(plans.flat());
};

/** How the statements of something are answered, those of a search by name among them. */
export const explainStatements = async (
  { dialect, scan }: Database,
  run: () => Promise<unknown>,
): Promise<ExplainedSearch> => {
  const statements: { sql: string; bindings: Knex.RawBinding[] }[] = [];
  const note = (statement: (typeof statements)[number]): void => void statements.push(statement);
  scan.on('query', note);
  await run().finally(() => scan.removeListener('query', note));
  const plans: string[][] = [];
  // Knex tells PostgreSQL's own placeholders, in their order.
  for (const { sql, bindings } of statements)
    plans.push(await explainSql(scan, dialect, sql.replaceAll(/\$\d+/g, '?'), bindings));
  return readPlans(plans.flat());
};

const readPlans = (steps: readonly string[]): ExplainedSearch => {
  const indexes = steps.flatMap(
    (line) =>
      /(?:using index|using covering index|index (?:only )?scan (?:backward )?using|bitmap index scan on) (\w+)/i.exec(
        line,
      )?.[1] ?? (/using primary key/i.test(line) ? 'voucher_words_pkey' : []),
  );
  return {
    steps,
    indexes: [...new Set(indexes)].sort(),
    readsWholeTable: steps.some(
      (line) => /seq scan/i.test(line) || /^SCAN (?!entries$|.*USING (?:COVERING )?INDEX)/.test(line),
    ),
  };
};

const explain = async (
  read: Knex,
  dialect: Database['dialect'],
  query: Knex.QueryBuilder,
): Promise<string[]> => {
  const { sql, bindings } = query.toSQL();
  return explainSql(read, dialect, sql, bindings as Knex.RawBinding[]);
};

const explainSql = async (
  read: Knex,
  dialect: Database['dialect'],
  sql: string,
  bindings: Knex.RawBinding[],
): Promise<string[]> => {
  if (dialect === 'sqlite') {
    const steps = await read.raw<{ detail: string }[]>(`explain query plan ${sql}`, bindings);
    return steps.map(({ detail }) => detail);
  }
  const { rows } = await read.raw<{ rows: { 'QUERY PLAN': string }[] }>(`explain ${sql}`, bindings);
  return rows.map((row) => row['QUERY PLAN']);
};
