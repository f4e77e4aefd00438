import type { Readable } from 'node:stream';
import { streamCsv, toCsv, toCsvTime, type CsvColumns } from '../../lib/csv.js';
import type { PageLanguage } from '../../i18n/language.js';
import { headingOf } from '../../i18n/messages.js';
import { Problem } from '../../errors/problem.js';
import type { Clock } from '../../lib/system.js';
import { parseTimestamp } from '../../lib/timestamp.js';
import type { Sites } from '../../sites/sites.js';
import type { VoucherTables } from '../voucherTables.js';
import { seesCodes } from '../../users/roles.js';
import { parseCursor, toCursor, type VoucherSort, sortOrderRuns } from './cursor.js';
import type { OrderRow } from './orderStates.js';
import type { VoucherCriteria } from './voucherCriteria.js';
import { splitIntoWords, toSearchWords } from '../searchWords.js';
import type { SelectVouchers, VoucherSelection, VoucherViewer } from '../selection.js';
import { readVoucherNames, toVoucherView, type StoredVoucher, type VoucherView } from '../view.js';
import { possibleCreators } from '../origin.js';
import { toTypedName } from '../../lib/label.js';
import { chooseWords } from './searchCriteria.js';

/** What the pages search by. */
export interface VoucherQuery {
  /** Beginnings of words of the name, or of a code or its second block, with or without dash. */
  readonly text?: string | undefined;
  readonly state?: VoucherCriteria['state'];
  readonly siteId?: number | undefined;
  readonly profileId?: number | undefined;
  readonly createdBy?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly sort?: VoucherSort | undefined;
  /** `orders` lists one voucher of each order, where all of an order match or none. */
  readonly rows?: 'vouchers' | 'orders' | undefined;
  /** All vouchers of an order; nothing else counts then. */
  readonly orderId?: string | undefined;
}

export interface VoucherPage {
  readonly vouchers: VoucherView[];
  /** The orders of many that one of the vouchers stands for. */
  readonly orders: OrderRow[];
  /** Where the next page begins; null at the end. A page with few vouchers, or none, may have one, too. */
  readonly next: string | null;
}

interface FindOptions {
  /** The `next` of the page before. */
  readonly cursor?: string | undefined;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** Finds vouchers of the sites that somebody may see. All throw `Refusal` or `Problem`. */
export interface SearchVouchers {
  find(query: VoucherQuery, viewer: VoucherViewer, options: FindOptions): Promise<VoucherPage>;
  get(id: number, viewer: VoucherViewer): Promise<VoucherView>;
  /**
   * All that the query lets through, as CSV with headings in a language.
   * The signal counts until the file begins.
   */
  exportFound(
    query: VoucherQuery,
    viewer: VoucherViewer,
    language: PageLanguage,
    signal: AbortSignal,
  ): Promise<Readable>;
  /** What was selected, as such a file. */
  exportSelected(
    selection: Partial<VoucherSelection>,
    viewer: VoucherViewer,
    language: PageLanguage,
  ): Promise<AsyncGenerator<string, void, void>>;
}

interface SortedPage extends FindOptions {
  readonly sort: VoucherSort;
  readonly limit: number;
  readonly now: number;
}

interface SearchVouchersDeps {
  readonly tables: Pick<VoucherTables, 'voucherFinder' | 'orderStates' | 'vouchers' | 'sites' | 'profiles'>;
  readonly sites: Pick<Sites, 'list'>;
  readonly select: SelectVouchers;
  readonly clock: Clock;
}

const pageSize = 100;
const exportPageSize = 200;

export const makeSearchVouchers = ({ tables, sites, select, clock }: SearchVouchersDeps): SearchVouchers => {
  /** Administrators see all sites, whether they are active or not: undefined. */
  const visibleSites = async (viewer: VoucherViewer): Promise<number[] | undefined> =>
    viewer.role === 'admin' ? undefined : (await sites.list(viewer)).map(({ id }) => id);
  const toCriteria = async (query: VoucherQuery, viewer: VoucherViewer): Promise<VoucherCriteria> => {
    const visible = await visibleSites(viewer);
    const { siteId } = query;
    const wanted = siteId === undefined ? visible : [siteId].filter((id) => visible?.includes(id) !== false);
    const { text = '' } = query;
    const words = splitIntoWords(text);
    return {
      words,
      state: query.state,
      // A text without a word, such as `%%%`, is in no voucher.
      siteIds: text !== '' && words.length === 0 ? [] : wanted,
      profileId: query.profileId,
      creators: query.createdBy ? possibleCreators(query.createdBy) : undefined,
      from: query.from === undefined ? undefined : parseTimestamp(query.from),
      to: query.to === undefined ? undefined : parseTimestamp(query.to),
      // Somebody who looks for a text or a state looks for single vouchers.
      onlyFirstOfOrder: query.rows === 'orders' && text === '' && query.state === undefined,
    };
  };
  const findPage = async (
    criteria: VoucherCriteria,
    { cursor, signal, sort = 'newest', size }: FindOptions & { sort?: VoucherSort | undefined; size: number },
  ): Promise<VoucherPage> => {
    const now = clock.now();
    const [{ vouchers, next }, names] = await Promise.all([
      findSorted(tables.voucherFinder, criteria, { sort, cursor, limit: size, now, signal }),
      readVoucherNames(tables),
    ]);
    const ids = criteria.onlyFirstOfOrder === true ? vouchers.map(({ id }) => id) : [];
    return {
      vouchers: sortOrderRuns(vouchers, sort).map((voucher) => toVoucherView(voucher, names, now)),
      orders: await tables.orderStates.ofFirst(ids, now),
      next,
    };
  };
  const findOrder = async (orderId: string, viewer: VoucherViewer): Promise<VoucherPage> => {
    const [visible, vouchers, names] = await Promise.all([
      visibleSites(viewer),
      // A UUID is the same in capital letters, and stored in small ones.
      tables.vouchers.ofIntent(orderId.toLowerCase()),
      readVoucherNames(tables),
    ]);
    const seen = vouchers.filter(({ siteId }) => visible?.includes(siteId) !== false);
    return {
      vouchers: seen.map((voucher) => toVoucherView(voucher, names, clock.now())),
      orders: [],
      next: null,
    };
  };
  const selectViews = async (
    { voucherIds = null, orderId = null }: Partial<VoucherSelection>,
    viewer: VoucherViewer,
  ): Promise<VoucherView[]> => {
    const vouchers = await select({ voucherIds, orderId }, viewer);
    const visible = new Set((await sites.list(viewer)).map(({ id }) => id));
    if (vouchers.some(({ siteId }) => !visible.has(siteId))) throw new Problem('not_found');
    const names = await readVoucherNames(tables);
    return vouchers.map((voucher) => toVoucherView(voucher, names, clock.now()));
  };
  const allPages = async function* (
    criteria: VoucherCriteria,
    sort: VoucherSort | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<readonly VoucherView[], void, void> {
    let cursor: string | undefined;
    do {
      const page: VoucherPage = await findPage(criteria, { cursor, sort, signal, size: exportPageSize });
      yield page.vouchers;
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
  };
  return {
    find: async (query, viewer, options) => {
      const criteria = await toCriteria(query, viewer);
      const page =
        query.orderId === undefined
          ? await findPage(criteria, { ...options, sort: query.sort, size: pageSize })
          : await findOrder(query.orderId, viewer);
      if (seesCodes(viewer)) return page;
      const words = query.orderId === undefined ? (criteria.words ?? []) : [];
      return { ...page, vouchers: hideCodes(page.vouchers, words) };
    },
    get: async (id, viewer) => {
      const [voucher] = await selectViews({ voucherIds: [id] }, viewer);
      if (!voucher) throw new Problem('not_found');
      return seesCodes(viewer) ? voucher : hideCode(voucher);
    },
    exportFound: async (query, viewer, language, signal) => {
      const criteria = await toCriteria(query, viewer);
      return streamCsv(csvColumns, language, (closed) => allPages(criteria, query.sort, closed), signal);
    },
    exportSelected: async (selection, viewer, language) =>
      toCsv(csvColumns, language, [await selectViews(selection, viewer)]),
  };
};

/** A page in the order that is asked for, and its cursor. */
const findSorted = async (
  finder: VoucherTables['voucherFinder'],
  criteria: VoucherCriteria,
  { sort, cursor, ...page }: SortedPage,
): Promise<{ vouchers: StoredVoucher[]; next: string | null }> => {
  if (sort === 'name' || sort === '-name') {
    const after = cursor === undefined ? undefined : parseCursor('name', cursor);
    const found = await finder.findByName(criteria, { ...page, after, isDescending: sort === '-name' });
    return { ...found, next: found.next ? toCursor('name', found.next) : null };
  }
  const before = cursor === undefined ? undefined : parseCursor('time', cursor);
  const found = await finder.find(criteria, { ...page, before, isOldestFirst: sort === 'oldest' });
  return { ...found, next: found.next ? toCursor('time', found.next) : null };
};

const perLimit = (value: number | null): string => (value === null ? '' : String(value));

const csvColumns: CsvColumns<VoucherView> = [
  // With its dash, so that no spreadsheet takes it for a number.
  [headingOf('code'), ({ formattedCode }) => formattedCode],
  [headingOf('name'), ({ name }) => toTypedName(name)],
  [headingOf('site'), ({ siteName }) => siteName],
  [headingOf('state'), ({ state }) => state],
  [headingOf('max-uses'), ({ maxUses }) => String(maxUses)],
  [headingOf('uses'), ({ usedCount }) => String(usedCount)],
  [headingOf('valid-minutes'), ({ expireMinutes }) => String(expireMinutes)],
  // 0 is no limit; of imported vouchers it may not be known.
  [headingOf('download'), ({ down }) => perLimit(down)],
  [headingOf('upload'), ({ up }) => perLimit(up)],
  [headingOf('data'), ({ quotaMb }) => perLimit(quotaMb)],
  [headingOf('created-at'), ({ createdAt }) => toCsvTime(createdAt)],
  [headingOf('expires-at'), ({ expiresAt }) => (expiresAt === null ? '' : toCsvTime(expiresAt))],
  [headingOf('created-by'), ({ createdBy }) => createdBy ?? ''],
  [headingOf('creator-kind'), ({ creatorKind }) => creatorKind ?? ''],
  [headingOf('profile'), ({ profileName }) => profileName ?? ''],
];

/** Stands for each character of a code that somebody may not see. */
const dot = '•';

/** A voucher for somebody who may not see its code. */
const hideCode = (voucher: VoucherView): VoucherView => ({
  ...voucher,
  code: voucher.code.replaceAll(/./gsu, dot),
  formattedCode: voucher.formattedCode.replaceAll(/[^-]/gu, dot),
});

/**
 * What somebody finds who may not see codes. Vouchers that a search found by their code only are left out:
 * otherwise a few searches would tell the code, digit by digit.
 */
const hideCodes = (vouchers: readonly VoucherView[], words: readonly string[]): VoucherView[] => {
  const wanted = chooseWords(words);
  return vouchers
    .filter(({ name }) => {
      const named = toSearchWords({ name, code: '' });
      return wanted.every((beginning) => named.some((word) => word.startsWith(beginning)));
    })
    .map(hideCode);
};
