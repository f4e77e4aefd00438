import type { Readable } from 'node:stream';
import { streamCsv, toCsv, type CsvColumns } from '../../lib/csv.js';
import type { Texts } from '../../i18n/language.js';
import { Problem, Refusal } from '../../errors/problem.js';
import type { Clock } from '../../lib/system.js';
import { parseTimestamp } from '../../lib/timestamp.js';
import type { Sites } from '../../sites/sites.js';
import type { VoucherTables } from '../voucherTables.js';
import { seesCodes } from '../../users/roles.js';
import { hideCode, hideCodes } from './hiddenCodes.js';
import type { VoucherCriteria, VoucherPosition } from './voucherCriteria.js';
import { splitIntoWords } from '../voucherTable.js';
import type { SelectVouchers, VoucherSelection, VoucherViewer } from '../selection.js';
import { readVoucherNames, toVoucherView, type VoucherView } from '../view.js';
import { possibleCreators } from '../origin.js';

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
}

export interface VoucherPage {
  /** The newest first. */
  readonly vouchers: VoucherView[];
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
  /** All that the query lets through, as CSV with headings in a language. The signal counts until the file begins. */
  exportFound(
    query: VoucherQuery,
    viewer: VoucherViewer,
    language: keyof Texts,
    signal: AbortSignal,
  ): Promise<Readable>;
  /** What was selected, as such a file. */
  exportSelected(
    selection: Partial<VoucherSelection>,
    viewer: VoucherViewer,
    language: keyof Texts,
  ): Promise<AsyncGenerator<string, void, void>>;
}

interface SearchVouchersDeps {
  readonly tables: Pick<VoucherTables, 'voucherFinder' | 'sites' | 'profiles'>;
  readonly sites: Pick<Sites, 'list'>;
  readonly select: SelectVouchers;
  readonly clock: Clock;
}

const pageSize = 100;
const exportPageSize = 500;

export const makeSearchVouchers = ({ tables, sites, select, clock }: SearchVouchersDeps): SearchVouchers => {
  /** Administrators see all sites, whether they are active or not. */
  const toCriteria = async (query: VoucherQuery, viewer: VoucherViewer): Promise<VoucherCriteria> => {
    const visible = viewer.role === 'admin' ? undefined : (await sites.list(viewer)).map(({ id }) => id);
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
    };
  };
  const findPage = async (
    criteria: VoucherCriteria,
    before: VoucherPosition | undefined,
    size: number,
    signal: AbortSignal,
  ): Promise<VoucherPage> => {
    const now = clock.now();
    const [{ vouchers, next }, names] = await Promise.all([
      tables.voucherFinder.find(criteria, { before, limit: size, now, signal }),
      readVoucherNames(tables),
    ]);
    return {
      vouchers: vouchers.map((voucher) => toVoucherView(voucher, names, now)),
      next: next ? `${String(next.createdAt)}-${String(next.id)}` : null,
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
    signal: AbortSignal,
  ): AsyncGenerator<readonly VoucherView[], void, void> {
    let cursor: string | null = null;
    do {
      const page: VoucherPage = await findPage(
        criteria,
        cursor === null ? undefined : parseCursor(cursor),
        exportPageSize,
        signal,
      );
      yield page.vouchers;
      cursor = page.next;
    } while (cursor !== null);
  };
  return {
    find: async (query, viewer, { cursor, signal }) => {
      const before = cursor === undefined ? undefined : parseCursor(cursor);
      const criteria = await toCriteria(query, viewer);
      const page = await findPage(criteria, before, pageSize, signal);
      return seesCodes(viewer) ? page : { ...page, vouchers: hideCodes(page.vouchers, criteria.words ?? []) };
    },
    get: async (id, viewer) => {
      const [voucher] = await selectViews({ voucherIds: [id] }, viewer);
      if (!voucher) throw new Problem('not_found');
      return seesCodes(viewer) ? voucher : hideCode(voucher);
    },
    exportFound: async (query, viewer, language, signal) => {
      const criteria = await toCriteria(query, viewer);
      return streamCsv(csvColumns, language, (closed) => allPages(criteria, closed), signal);
    },
    exportSelected: async (selection, viewer, language) =>
      toCsv(csvColumns, language, [await selectViews(selection, viewer)]),
  };
};

const parseCursor = (text: string): VoucherPosition => {
  const [, createdAt, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  if (createdAt === undefined || id === undefined)
    throw new Refusal('cursor-invalid', 'a cursor is what a page before had as `next`', 'invalid');
  return { createdAt: Number(createdAt), id: Number(id) };
};

const csvColumns: CsvColumns<VoucherView> = [
  // With its dash, so that no spreadsheet takes it for a number.
  [{ de: 'Code', en: 'code' }, ({ formattedCode }) => formattedCode],
  [{ de: 'Name', en: 'name' }, ({ name }) => name],
  [{ de: 'Standort', en: 'site' }, ({ siteName }) => siteName],
  [{ de: 'Zustand', en: 'state' }, ({ state }) => state],
  [{ de: 'Anmeldungen erlaubt', en: 'max uses' }, ({ maxUses }) => String(maxUses)],
  [{ de: 'Anmeldungen bisher', en: 'used' }, ({ usedCount }) => String(usedCount)],
  [{ de: 'Gültig (Minuten)', en: 'valid minutes' }, ({ expireMinutes }) => String(expireMinutes)],
  [{ de: 'Erstellt am', en: 'created at' }, ({ createdAt }) => createdAt],
  [{ de: 'Läuft ab am', en: 'expires at' }, ({ expiresAt }) => expiresAt ?? ''],
  [{ de: 'Erstellt von', en: 'created by' }, ({ createdBy }) => createdBy ?? ''],
  [{ de: 'Erstellt von (Art)', en: 'creator kind' }, ({ creatorKind }) => creatorKind ?? ''],
  [{ de: 'Profil', en: 'profile' }, ({ profileName }) => profileName ?? ''],
];
