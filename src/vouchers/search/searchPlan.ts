import type { Knex } from 'knex';
import { interruptedBy } from '../../database/interruption.js';
import type { Database } from '../../database/database.js';
import { storedStateSql } from '../../database/migrations/0012_search.js';
import {
  endOf,
  rangeOfBeginning,
  rangeOfOverdue,
  rangeOfVouchers,
  rangeOfWord,
  type IndexRange,
  type SearchedTimes,
} from './searchRanges.js';
import type { VoucherCreator } from '../origin.js';
import type { VoucherCriteria, VoucherPosition } from './voucherCriteria.js';

/** Where a page begins, and the time that states are judged by. */
export interface SearchedPage {
  readonly before?: VoucherPosition | undefined;
  readonly now: number;
  /** Aborts when nobody waits for the page any more. */
  readonly signal?: AbortSignal | undefined;
}

/** The queries that together find a page, each newest first. */
export interface SearchPlan {
  readonly queries: readonly Knex.QueryBuilder[];
  /** The last voucher that they look at; undefined when they look at all. */
  readonly until?: VoucherPosition | undefined;
  /** The entries of indexes that planning took, and those that the queries read in order until the page is full. */
  readonly entries: {
    readonly probed: readonly Knex.QueryBuilder[];
    readonly read: readonly Knex.QueryBuilder[];
  };
}

/** One criterion of a search. */
interface Criterion {
  /** The ranges that together hold all vouchers that it lets through, if there are few enough of them. */
  readonly ranges?: readonly IndexRange[] | undefined;
  /** Whether the ranges hold no others. */
  readonly isExact: boolean;
  /** Restricts vouchers that were found by another criterion, in a way that no index is used for. */
  restrict(query: Knex.QueryBuilder): void;
}

type Reader = Pick<Database, 'read' | 'dialect'>;

/** Further words of a text are not looked at. */
const maxWords = 8;
/** With more words or sites, no range is read for each of them. */
const maxRanges = 10;
/** How many entries of an index a page is looked for in. */
export const searchWindow = 1000;

/**
 * Plans a page so that its cost does not depend on how many vouchers there are. Of all criteria, the one is read by its
 * index whose newest entries reach back furthest, because it lets the fewest through; the others are compared. Where
 * that does not fill the page, it ends after as many entries as a window has, and the next one goes on from there.
 */
export const planSearch = async (
  reader: Reader,
  criteria: VoucherCriteria,
  page: SearchedPage,
): Promise<SearchPlan> => {
  const words = await findWords(reader, chooseWords(criteria.words ?? []), page.signal);
  if (criteria.siteIds?.length === 0 || words.some(({ known }) => known.length === 0))
    return { queries: [], entries: { probed: [], read: [] } };
  const given = listCriteria(reader, criteria, words, page.now);
  const everything: Criterion = {
    ranges: [rangeOfVouchers(reader)],
    isExact: true,
    restrict: () => undefined,
  };
  const times: SearchedTimes = { before: page.before, from: criteria.from, to: criteria.to };
  const [only = everything] = given;
  const readsOnlyMatches = only.isExact && only.ranges?.every(({ isSorted }) => isSorted) === true;
  const { chosen, until, probed } =
    given.length <= 1 && readsOnlyMatches
      ? { chosen: only, until: undefined, probed: undefined }
      : await chooseRarest(reader, [...given, everything], times, page.signal);
  const queries = (chosen.ranges ?? []).map((range) => {
    const query = range.vouchers({ ...times, until }, probed && searchWindow);
    for (const criterion of given) if (criterion !== chosen || !criterion.isExact) criterion.restrict(query);
    return query.queryContext(interruptedBy(page.signal));
  });
  const read = (chosen.ranges ?? []).map((range) => range.positions({ ...times, until }));
  return { queries, until, entries: { probed: probed ?? [], read } };
};

/**
 * The words that a search is restricted by, longest first: each costs a comparison per voucher. A word that begins
 * another one is found wherever that is found.
 */
export const chooseWords = (words: readonly string[]): string[] => {
  const chosen: string[] = [];
  for (const word of [...words].sort((a, b) => b.length - a.length)) {
    if (!chosen.some((longer) => longer.startsWith(word))) chosen.push(word);
    if (chosen.length === maxWords) break;
  }
  return chosen;
};

/** Those that usually let fewer through come first: they are preferred where all are rare. */
const listCriteria = (
  reader: Reader,
  { state, siteIds, profileId, creators }: VoucherCriteria,
  words: readonly FoundWords[],
  now: number,
): Criterion[] => {
  const criteria: Criterion[] = words.map(({ beginning, known }) => ({
    ranges:
      known.length <= maxRanges
        ? known.map((word) => rangeOfWord(reader, word))
        : [rangeOfBeginning(reader, beginning)],
    isExact: true,
    // Words hold letters and digits only, and stand in quotation marks.
    restrict: (query) => void query.where('vouchers.words', 'like', `%"${beginning}%`),
  }));
  const addColumn = (column: string, values: readonly (string | number)[], plain: string): void => {
    criteria.push({
      ranges:
        values.length <= maxRanges
          ? values.map((value) =>
              rangeOfVouchers(reader, {
                sql: `vouchers.${column}`,
                value,
                isPartial: column === 'profile_id',
              }),
            )
          : undefined,
      isExact: true,
      restrict: (query) =>
        void query.whereRaw(`${plain} in (${values.map(() => '?').join(', ')})`, [...values]),
    });
  };
  if (profileId !== undefined) addColumn('profile_id', [profileId], 'vouchers.profile_id + 0');
  if (creators !== undefined) criteria.push(creatorCriterion(reader, creators));
  if (state !== undefined) criteria.push(stateCriterion(reader, state, now));
  if (siteIds !== undefined) addColumn('site_id', siteIds, 'vouchers.site_id + 0');
  return criteria;
};

/** A source may be that of a user and of a kiosk, so the kind is compared, too, where it is known. */
const creatorCriterion = (reader: Reader, creators: readonly VoucherCreator[]): Criterion => ({
  ranges: creators.map(({ source }) => rangeOfVouchers(reader, { sql: 'vouchers.source', value: source })),
  isExact: false,
  restrict: (query) => {
    const isBy = "(vouchers.source || '' = ? and (vouchers.actor_kind is null or vouchers.actor_kind = ?))";
    void query.whereRaw(
      `(${creators.map(() => isBy).join(' or ')})`,
      creators.flatMap(({ source, kind }) => [source, kind]),
    );
  },
});

/** The state at a time, as `stateAt` in vouchers/state.ts says it. */
const stateCriterion = (
  reader: Reader,
  state: NonNullable<VoucherCriteria['state']>,
  now: number,
): Criterion => {
  const stored = rangeOfVouchers(reader, { sql: `(${storedStateSql})`, value: state });
  const isStored = `(${storedStateSql}) || '' = '${state}'`;
  if (state === 'expired')
    return {
      ranges: [stored, rangeOfOverdue(reader, now)],
      isExact: true,
      restrict: (query) =>
        void query.whereRaw(`(${isStored} or (revoked_at is null and expires_at + 0 <= ?))`, [now]),
    };
  return {
    ranges: [stored],
    isExact: state === 'revoked',
    restrict: (query) => {
      void query.whereRaw(isStored);
      if (state !== 'revoked') void query.whereRaw('(expires_at is null or expires_at + 0 > ?)', [now]);
    },
  };
};

/** The criterion whose ranges hold the fewest of the newest vouchers, and where a window of them ends. */
const chooseRarest = async (
  reader: Reader,
  criteria: readonly Criterion[],
  times: SearchedTimes,
  signal: AbortSignal | undefined,
): Promise<{
  chosen: Criterion;
  until: VoucherPosition | undefined;
  probed: readonly Knex.QueryBuilder[];
}> => {
  const probes = criteria.flatMap((criterion) =>
    (criterion.ranges ?? []).map((range, _, { length }) => ({
      criterion,
      range,
      positions: range.positions(times),
      // The last entry of a window, or the first that is too much for one that has no order.
      last: range.isSorted ? Math.floor(searchWindow / length) - 1 : searchWindow,
    })),
  );
  const ends = await readProbes(
    reader,
    probes.map(({ positions, last }) => positions.clone().limit(1).offset(last)),
    signal,
  );
  let chosen: { criterion: Criterion; until: VoucherPosition | undefined } | undefined;
  for (const criterion of criteria) {
    if (!criterion.ranges) continue;
    const own = [...probes.entries()].filter(([, probe]) => probe.criterion === criterion);
    if (own.some(([index, { range }]) => !range.isSorted && ends.has(index))) continue;
    const until = newestOf(own.flatMap(([index]) => ends.get(index) ?? []));
    if (!chosen || (chosen.until && (!until || isNewer(chosen.until, until)))) chosen = { criterion, until };
  }
  if (!chosen) throw new Error('the time is always a criterion');
  const probed = probes.map(({ positions, last }) => positions.limit(last + 1));
  return { chosen: chosen.criterion, until: chosen.until, probed };
};

const isNewer = (one: VoucherPosition, other: VoucherPosition): boolean =>
  one.createdAt > other.createdAt || (one.createdAt === other.createdAt && one.id > other.id);

const newestOf = (positions: readonly VoucherPosition[]): VoucherPosition | undefined =>
  positions.reduce<VoucherPosition | undefined>(
    (newest, position) => (newest && isNewer(newest, position) ? newest : position),
    undefined,
  );

/** Reads the one row that each probe may have, by the number of the probe, in a single statement. */
const readProbes = async (
  { read }: Reader,
  probes: readonly Knex.QueryBuilder[],
  signal: AbortSignal | undefined,
): Promise<Map<number, VoucherPosition>> => {
  const compiled = probes.map((probe) => probe.toSQL());
  const statement = compiled
    .map(({ sql }, index) => `select ${String(index)} as number, probe.* from (${sql}) as probe`)
    .join(' union all ');
  const bindings = compiled.flatMap((probe) => probe.bindings as Knex.RawBinding[]);
  const rows = await readRows<VoucherPosition & { number: number }>(read.raw(statement, bindings), signal);
  return new Map(rows.map(({ number, createdAt, id }) => [number, { createdAt, id }]));
};

/** The words that begin like one of the text. */
interface FoundWords {
  readonly beginning: string;
  /** One more than there may be ranges, at most. */
  readonly known: readonly string[];
}

/** The words with a beginning: one step in the index for each, however many vouchers have it. */
const findWords = async (
  { read, dialect }: Reader,
  beginnings: readonly string[],
  signal: AbortSignal | undefined,
): Promise<FoundWords[]> => {
  if (beginnings.length === 0) return [];
  const text = dialect === 'postgres' ? 'cast(? as text) collate "C"' : '?';
  const statement = read.raw(
    `with recursive beginnings (number, first, behind) as (
       values ${beginnings.map((_, index) => `(${String(index)}, ${text}, ${text})`).join(', ')}
     ), found (number, behind, word, step) as (
       select number, behind, (select min(word) from voucher_words where word >= first and word < behind), 1
       from beginnings
       union all
       select number, behind, (select min(voucher_words.word) from voucher_words
               where voucher_words.word > found.word and voucher_words.word < behind), step + 1
       from found where found.word is not null and step <= ?
     )
     select number, word from found where word is not null`,
    [...beginnings.flatMap((beginning) => [beginning, endOf(beginning)]), maxRanges],
  );
  const rows = await readRows<{ number: number; word: string }>(statement, signal);
  return beginnings.map((beginning, index) => ({
    beginning,
    known: rows.flatMap(({ number, word }) => (number === index ? word : [])),
  }));
};

/** The drivers answer a raw statement each in their own way. */
const readRows = async <Row>(statement: Knex.Raw, signal: AbortSignal | undefined): Promise<Row[]> => {
  const answer = (await statement.queryContext(interruptedBy(signal))) as Row[] | { rows: Row[] };
  return Array.isArray(answer) ? answer : answer.rows;
};
