import { useEffect } from 'react';
import { refreshTopics } from '../api/liveEvents.ts';
import type { Voucher } from './voucher.ts';

/** Those that were asked for: where the browser's clock is ahead, the service goes on calling them valid. */
const asked = new Set<Voucher['id']>();

/** Many vouchers of one order end at the same time: one refresh is for all of them. */
const gatherMs = 1000;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Asks the service again when the time of a shown voucher is over, once: nobody changes it then, so no event tells, and a
 * list of valid ones would keep it.
 */
export const useRefreshAtExpiry = (id: Voucher['id'], isOverdue: boolean): void => {
  useEffect(() => {
    if (!isOverdue || asked.has(id)) return;
    asked.add(id);
    timer ??= setTimeout(() => {
      timer = undefined;
      refreshTopics(['vouchers']);
    }, gatherMs);
  }, [id, isOverdue]);
};
