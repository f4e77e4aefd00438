import { useTranslations } from 'use-intl';
import { useNow } from '../../lib/useNow.ts';
import { mayBeHandedOut, stateAt, typedName, type Voucher } from '../../vouchers/voucher.ts';
import { useOutcomeText } from './OrderResult.tsx';
import type { Shown } from './shown.ts';
import { useWaitingText, type AwaitedOrder } from './WaitingResult.tsx';

/** Digit by digit, as somebody writes it down. */
const spell = (code: string): string => Array.from(code).join(' ');

/** What screen readers say about the result: what is going on, then the code, once, and when it is no longer valid. */
export const useAnnouncement = (shown: Shown | undefined, awaited: AwaitedOrder | undefined): string => {
  const t = useTranslations();
  const now = useNow();
  const waitingText = useWaitingText();
  const outcomeText = useOutcomeText();
  if (!shown) return awaited ? waitingText(awaited) : '';
  const ofVoucher = (voucher: Voucher): string => {
    const [state, name, code] = [stateAt(voucher, now), typedName(voucher.name), spell(voucher.code)];
    if (state === 'revoked') return t('desk.revoked', { count: 1 });
    if (!mayBeHandedOut(state)) return t('desk.notHandedOut');
    return name === '' ? t('desk.announcedPlain', { code }) : t('desk.announcedCode', { name, code });
  };
  if (shown.kind === 'voucher') return ofVoucher(shown.voucher);
  const { vouchers, count, made, state } = shown.order;
  const [first] = vouchers;
  if (count === 1 && first) return ofVoucher(first);
  // How far an open order is, its own status says.
  return state !== 'open' && made > 0 ? outcomeText(vouchers, made) : '';
};
