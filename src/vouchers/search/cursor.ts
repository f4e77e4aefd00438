import { Refusal } from '../../errors/problem.js';
import type { NamePosition, VoucherPosition } from './voucherCriteria.js';
import type { StoredVoucher } from '../voucherTable.js';

/** How a list is sorted: by the time of creation, or by name. */
export type VoucherSort = 'newest' | 'oldest' | 'name' | '-name';

interface Positions {
  readonly time: VoucherPosition;
  readonly name: NamePosition;
}

/** Where a page ended, as a text that the next request gives back. */
export const toCursor = <Kind extends keyof Positions>(kind: Kind, position: Positions[Kind]): string =>
  'createdAt' in position
    ? `${String(position.createdAt)}-${String(position.id)}`
    : `${kind}-${String(position.id)}-${Buffer.from(position.sortedName).toString('base64url')}`;

export const parseCursor = <Kind extends keyof Positions>(kind: Kind, text: string): Positions[Kind] => {
  const position = parsers[kind](text);
  if (!position)
    throw new Refusal('cursor-invalid', 'a cursor is what a page before had as `next`', 'invalid');
  return position;
};

const parsers: { readonly [Kind in keyof Positions]: (text: string) => Positions[Kind] | undefined } = {
  time: (text) => {
    const [, createdAt, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
    return createdAt === undefined || id === undefined
      ? undefined
      : { createdAt: Number(createdAt), id: Number(id) };
  },
  name: (text) => {
    const [, id, name] = /^name-(\d{1,15})-([\w-]*)$/.exec(text) ?? [];
    if (id === undefined || name === undefined) return undefined;
    const sortedName = Buffer.from(name, 'base64url').toString();
    // PostgreSQL stores no such character, and refuses a comparison with it.
    return sortedName.includes('\0') ? undefined : { sortedName, id: Number(id) };
  },
};

/**
 * Sorts vouchers of one order that follow each other by their numbers: they are stored in the order of their
 * codes, and by name a tenth would come before a second. By name, those with names of their own stay where
 * they are.
 */
export const sortOrderRuns = (vouchers: readonly StoredVoucher[], sort: VoucherSort): StoredVoucher[] => {
  const isByName = sort === 'name' || sort === '-name';
  const sign = sort === '-name' ? -1 : 1;
  const runs: StoredVoucher[][] = [];
  for (const voucher of vouchers) {
    const run = runs.at(-1) ?? [];
    const [first] = run;
    const isOfRun = voucher.intentId !== null && first?.intentId === voucher.intentId;
    if (first && isOfRun && (!isByName || withoutNumber(first) === withoutNumber(voucher))) run.push(voucher);
    else runs.push([voucher]);
  }
  return runs.flatMap((run) => run.sort((a, b) => sign * (a.position - b.position)));
};

/** `Conference 3/20` and `Conference 12/20` are the same. */
const withoutNumber = ({ name }: StoredVoucher): string => name.replace(/\d{1,3}\/(\d{1,3})$/, '$1');
