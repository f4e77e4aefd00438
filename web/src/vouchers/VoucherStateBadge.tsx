import { useTranslations } from 'use-intl';
import type { IconName } from '../components/Icon.tsx';
import { StateBadge, type Tone } from '../components/StateBadge.tsx';
import { useNow } from '../lib/useNow.ts';
import { useRefreshAtExpiry } from './refreshAtExpiry.ts';
import { stateAt, type Voucher, type VoucherState } from './voucher.ts';

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
