import { useTranslations } from 'use-intl';
import { typedName, type Voucher } from '../../vouchers/voucher.ts';
import type { Shown } from './shown.ts';
import { useWaitingText, type AwaitedOrder } from './WaitingResult.tsx';

/** Digit by digit, as somebody writes it down. */
const spell = (code: string): string => Array.from(code).join(' ');

/** What screen readers say about the result: what is going on, and then the code, once. */
export const useAnnouncement = (shown: Shown | undefined, awaited: AwaitedOrder | undefined): string => {
  const t = useTranslations();
  const waitingText = useWaitingText();
  if (!shown) return awaited ? waitingText(awaited) : '';
  const ofVoucher = ({ code, name }: Voucher): string =>
    typedName(name) === ''
      ? t('desk.announcedPlain', { code: spell(code) })
      : t('desk.announcedCode', { name: typedName(name), code: spell(code) });
  if (shown.kind === 'voucher') return ofVoucher(shown.voucher);
  const { vouchers, count, made } = shown.order;
  const [first] = vouchers;
  if (count === 1 && first) return ofVoucher(first);
  return made > 0 ? t('desk.announcedMany', { count: made }) : '';
};
