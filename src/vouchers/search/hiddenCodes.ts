import type { VoucherView } from '../view.js';
import { toSearchWords } from '../searchWords.js';
import { chooseWords } from './searchCriteria.js';

/** Stands for each character of a code that somebody may not see. */
const dot = '•';

/** A voucher for somebody who may not see its code. */
export const hideCode = (voucher: VoucherView): VoucherView => ({
  ...voucher,
  code: voucher.code.replaceAll(/./gsu, dot),
  formattedCode: voucher.formattedCode.replaceAll(/[^-]/gu, dot),
});

/**
 * What somebody finds who may not see codes. Vouchers that a search found by their code only are left out: otherwise a
 * few searches would tell the code, digit by digit.
 */
export const hideCodes = (vouchers: readonly VoucherView[], words: readonly string[]): VoucherView[] => {
  const wanted = chooseWords(words);
  return vouchers
    .filter(({ name }) => {
      const named = toSearchWords({ name, code: '' });
      return wanted.every((beginning) => named.some((word) => word.startsWith(beginning)));
    })
    .map(hideCode);
};
