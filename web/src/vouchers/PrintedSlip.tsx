import { createPortal } from 'react-dom';
import { api } from '../api/api.ts';
import { basePath } from '../api/serviceMeta.ts';
import { QrCode } from '../components/QrCode.tsx';
import { useNow } from '../lib/useNow.ts';
import { useGuestLanguage } from './guestLanguage.tsx';
import './PrintedSlip.css';
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
    <div className="printed-slip" lang={language} aria-hidden="true">
      {site?.hasLogo && <img src={`${basePath}/web/sites/${String(site.id)}/logo`} alt="" />}
      <div className="printed-slip-site">{slip.siteName}</div>
      {slip.wifi.map(({ label, text }) => (
        <div key={label}>
          {label}: <strong className="printed-slip-wifi">{text}</strong>
        </div>
      ))}
      <QrCode text={slip.qrText} label="" size="32mm" />
      <div>{slip.codeLabel}</div>
      <div className="printed-slip-code code">{slip.formattedCode}</div>
      <div>
        {slip.facts.map((fact) => (
          <div key={fact}>{fact}</div>
        ))}
      </div>
      <ol className="printed-slip-steps">
        {slip.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {slip.text !== null && <div className="printed-slip-text">{slip.text}</div>}
      <div className="printed-slip-name">{slip.name}</div>
    </div>,
    document.body,
  );
};
