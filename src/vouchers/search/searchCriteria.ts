import type { Knex } from 'knex';
import { interruptedBy } from '../../database/interruption.js';
import type { Database } from '../../database/database.js';
import { storedStateSql } from '../../database/migrations/0001_schema/voucherSearch.js';
import type { VoucherCreator } from '../origin.js';
import {
  endOf,
  rangeOfBeginning,
  rangeOfOverdue,
  rangeOfVouchers,
  rangeOfWord,
  type IndexRange,
} from './searchRanges.js';
import type { VoucherCriteria } from './voucherCriteria.js';

/** One criterion of a search. */
export interface Criterion {
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

/** What a search is restricted to, criterion by criterion; undefined when no voucher can be found. */
export const readCriteria = async (
  reader: Reader,
  criteria: VoucherCriteria,
  now: number,
  signal: AbortSignal | undefined,
): Promise<Criterion[] | undefined> => {
  const words = await findWords(reader, chooseWords(criteria.words ?? []), signal);
  const isHopeless = criteria.siteIds?.length === 0 || words.some(({ known }) => known.length === 0);
  return isHopeless ? undefined : listCriteria(reader, criteria, words, now);
};

/**
 * The words that a search is restricted by, longest first: each costs a comparison per voucher.
 * A word that begins another one is found wherever that is found.
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
  { state, siteIds, profileId, creators, onlyFirstOfOrder = false }: VoucherCriteria,
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
                // PostgreSQL does not conclude that from the comparison of a row.
                ...(column === 'profile_id' && { condition: 'vouchers.profile_id is not null' }),
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
  if (onlyFirstOfOrder) criteria.push(firstOfOrder(reader));
  return criteria;
};

/** Of each order the voucher that stands for it. */
const firstOfOrder = (reader: Reader): Criterion => ({
  ranges: [
    rangeOfVouchers(reader, { sql: 'vouchers.position', value: 0, condition: 'vouchers.position = 0' }),
  ],
  isExact: true,
  restrict: (query) => void query.whereRaw('vouchers.position + 0 = 0'),
});

/** A source may be that of a user and of a kiosk, so the kind is compared, too. */
const creatorCriterion = (reader: Reader, creators: readonly VoucherCreator[]): Criterion => ({
  ranges: creators.map(({ source }) => rangeOfVouchers(reader, { sql: 'vouchers.source', value: source })),
  isExact: false,
  restrict: (query) => {
    const isBy = "(vouchers.source || '' = ? and vouchers.actor_kind = ?)";
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
export const readRows = async <Row>(statement: Knex.Raw, signal: AbortSignal | undefined): Promise<Row[]> => {
  const answer = (await statement.queryContext(interruptedBy(signal))) as Row[] | { rows: Row[] };
  return Array.isArray(answer) ? answer : answer.rows;
};
