import { dayStart } from '../../i18n/format.ts';
import { readChoice, readDay, readId, readText, type RawSearch } from '../../lib/search.ts';
import { voucherStates } from '../../vouchers/voucher.ts';

/** What is looked for; all of it, unless a value says otherwise. */
export interface VoucherFilterValue {
  readonly text: string | undefined;
  readonly state: (typeof voucherStates)[number] | undefined;
  readonly siteId: number | undefined;
  readonly profileId: number | undefined;
  readonly createdBy: string | undefined;
  /** Days as a date field writes them. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export const voucherFilterOf = (search: RawSearch): VoucherFilterValue => ({
  text: readText(search['text']),
  state: readChoice(search['state'], voucherStates),
  siteId: readId(search['siteId']),
  profileId: readId(search['profileId']),
  createdBy: readText(search['createdBy']),
  from: readDay(search['from']),
  to: readDay(search['to']),
});

export const noVoucherFilter = voucherFilterOf({});

/** How many vouchers the service takes at once. */
export const maxSelected = 500;

/** How the list can be sorted: by time or by name, which indexes are sorted by. */
export const voucherSorts = ['newest', 'oldest', 'name', '-name'] as const;
export type VoucherSort = (typeof voucherSorts)[number];

/** Those that were opened last; an address has its limits. */
const maxOpened = 20;

/** The ids of orders, as an address has them. */
export const readOrderIds = (value: unknown): string[] =>
  (readText(value) ?? '').split(',').filter((id) => /^[\da-f-]{36}$/.test(id));

export const writeOrderIds = (ids: readonly string[]): string | undefined =>
  ids.slice(-maxOpened).join() || undefined;

/** The address of the list: its filter, its order, which orders are open, and the voucher that is shown over it. */
export interface VoucherSearch extends Partial<VoucherFilterValue> {
  readonly voucher?: number | undefined;
  /** The newest come first where it is left out. */
  readonly sort?: VoucherSort | undefined;
  readonly orders?: string | undefined;
}

export const readVoucherSearch = (search: RawSearch): VoucherSearch => ({
  ...voucherFilterOf(search),
  voucher: readId(search['voucher']),
  sort: readChoice(search['sort'], voucherSorts),
  orders: writeOrderIds(readOrderIds(search['orders'])),
});

/** The parameters of the API; what is not filtered by is left out. */
export const toVoucherQuery = (filter: VoucherFilterValue) => {
  const { text = '', state, siteId, profileId, createdBy = '', from, to } = filter;
  return {
    ...(text.trim() !== '' && { text: text.trim() }),
    ...(state !== undefined && { state }),
    ...(siteId !== undefined && { siteId }),
    ...(profileId !== undefined && { profileId }),
    ...(createdBy.trim() !== '' && { createdBy: createdBy.trim() }),
    ...(from !== undefined && { from: dayStart(from) }),
    ...(to !== undefined && { to: dayStart(to, 1) }),
  };
};
