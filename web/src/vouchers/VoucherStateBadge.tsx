import { useTranslations } from 'use-intl';
import type { IconName } from '../components/Icon.tsx';
import { StateBadge, type Tone } from '../components/StateBadge.tsx';
import { useNow } from '../lib/useNow.ts';
import { stateAt, type Voucher, type VoucherState } from './voucher.ts';
import { useEffect } from 'react';
import { refreshTopics } from '../api/liveEvents.ts';

const looks: Readonly<Record<VoucherState, { tone: Tone; icon: IconName }>> = {
  valid: { tone: 'good', icon: 'check' },
  'in-use': { tone: 'active', icon: 'wifi' },
  used: { tone: 'neutral', icon: 'account' },
  expired: { tone: 'neutral', icon: 'clock' },
  gone: { tone: 'neutral', icon: 'error' },
  revoked: { tone: 'bad', icon: 'blocked' },
};

/** What can be done with a voucher now, in a word. */
export const VoucherStateBadge = ({ voucher }: { readonly voucher: Voucher }) => {
  const t = useTranslations();
  const state = stateAt(voucher, useNow());
  useRefreshAtExpiry(voucher.id, state !== voucher.state);
  return <StateBadge {...looks[state]}>{t(`vouchers.state-${state}`)}</StateBadge>;
};

/** Already refreshed for: where the browser's clock is ahead, the service still reports them as valid. */
const asked = new Set<Voucher['id']>();

/** Many vouchers of one order end at the same time: one refresh covers all of them. */
const gatherMs = 1000;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Refreshes once when a shown voucher expires. Nothing changes in the service then, so there is no live event, and a list of
 * valid vouchers would keep showing it.
 */
const useRefreshAtExpiry = (id: Voucher['id'], isOverdue: boolean): void => {
  useEffect(() => {
    if (!isOverdue || asked.has(id)) return;
    asked.add(id);
    timer ??= setTimeout(() => {
      timer = undefined;
      refreshTopics(['vouchers']);
    }, gatherMs);
  }, [id, isOverdue]);
};
