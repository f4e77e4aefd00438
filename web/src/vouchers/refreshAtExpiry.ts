import { useEffect } from 'react';
import { refreshTopics } from '../api/liveEvents.ts';
import { useNow } from '../lib/useNow.ts';
import { isRevocable, type Voucher } from './voucher.ts';

/** At most one refresh for all vouchers that are shown, and for each tick of the clock. */
let refreshedAt = 0;
const shortestPauseMs = 10_000;

/** Asks the service again when the time of a shown voucher is over: nobody changes it then, so no event tells. */
export const useRefreshAtExpiry = ({ state, expiresAt }: Pick<Voucher, 'state' | 'expiresAt'>): void => {
  const now = useNow();
  const isOverdue = isRevocable(state) && expiresAt !== null && Date.parse(expiresAt) <= now;
  useEffect(() => {
    if (!isOverdue || Math.abs(now - refreshedAt) < shortestPauseMs) return;
    refreshedAt = now;
    refreshTopics(['vouchers']);
  }, [isOverdue, now]);
};
