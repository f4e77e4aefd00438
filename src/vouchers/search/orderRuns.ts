import type { StoredVoucher } from '../voucherTable.js';
import type { VoucherSort } from './cursor.js';

/**
 * Sorts vouchers of one order that follow each other by their numbers: they are stored in the order of their codes, and by
 * name a tenth would come before a second. By name, those with names of their own stay where they are.
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
