import { useEffect, useRef } from 'react';
import type { ListRow } from '../../vouchers/voucherRows.ts';

interface Found {
  readonly rows: readonly ListRow[];
  readonly hasMore: boolean;
  /** Whether these are the answer to what is typed. */
  readonly isAnswer: boolean;
}

/**
 * For Enter, which a scanner sends, too: shows what is found if it is a single voucher, at once or as soon as the answer is
 * there. Of several, the person chooses. `forget` is for what is typed after it.
 */
export const useOnlyFound = ({ rows, hasMore, isAnswer }: Found, show: (voucherId: number) => void) => {
  const isAwaited = useRef(false);
  const showOnly = (): void => {
    isAwaited.current = false;
    const [row] = rows;
    if (row?.kind === 'voucher' && rows.length === 1 && !hasMore) show(row.voucher.id);
  };
  useEffect(() => {
    if (isAwaited.current && isAnswer) showOnly();
  });
  return {
    enter: () => {
      if (isAnswer) showOnly();
      else isAwaited.current = true;
    },
    forget: () => void (isAwaited.current = false),
  };
};
