import { createPortal } from 'react-dom';
import { directionOf } from '../../../src/i18n/guestLanguages.ts';
import { api } from '../api/api.ts';
import { useNow } from '../lib/useNow.ts';
import { useGuestLanguage } from './guestLanguage.tsx';
import { paperForOne } from './papers.ts';
import './PrintedSlip.css';
import { SlipSheet } from './SlipSheet.tsx';
import { mayBeHandedOut, stateAt, type DeskSite, type Voucher } from './voucher.ts';

interface PrintedSlipProps {
  readonly voucher: Voucher;
  readonly site: DeskSite | undefined;
}

/** The words of a slip, which the service knows. They are fetched when the voucher is shown, before somebody prints. */
export const useSlip = (voucher: Voucher | undefined) => {
  const [language] = useGuestLanguage();
  const now = useNow();
  const isPrintable = voucher !== undefined && mayBeHandedOut(stateAt(voucher, now));
  const params = { path: { voucherId: voucher?.id ?? 0 }, query: { language } };
  const { data } = api.useQuery('get', '/vouchers/{voucherId}/slip', { params }, { enabled: isPrintable });
  return { language, slip: isPrintable ? data : undefined };
};

/** What the browser prints while a voucher is shown, in place of the page. */
export const PrintedSlip = ({ voucher, site }: PrintedSlipProps) => {
  const { language, slip } = useSlip(voucher);
  if (!slip) return null;
  return createPortal(
    <div
      className="printed-slip"
      data-paper={site?.slipPaper && paperForOne(site.slipPaper).paper}
      lang={language}
      dir={directionOf(language)}
      aria-hidden="true"
    >
      <SlipSheet slip={slip} logoOf={site?.hasLogo ? site.id : undefined} />
    </div>,
    document.body,
  );
};
