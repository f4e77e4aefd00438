import { Suspense, use } from 'react';
import { createPortal } from 'react-dom';
import { basePath } from '../api/serviceMeta.ts';
import { QrCode } from '../components/QrCode.tsx';
import { useGuestLanguage } from './guestLanguage.tsx';
import './PrintedSlip.css';
import { loadGuestTexts, slipTextsOf } from './slipTexts.ts';
import { typedName, type DeskSite, type Voucher } from './voucher.ts';

interface PrintedSlipProps {
  readonly voucher: Voucher;
  readonly site: DeskSite | undefined;
}

const Slip = ({ voucher, site }: PrintedSlipProps) => {
  const [language] = useGuestLanguage();
  const { code, formattedCode, siteName, name } = voucher;
  const { ssid = null, wifiPassword = null, wifiJoinText = null } = site ?? {};
  const texts = slipTextsOf(use(loadGuestTexts(language)), language, voucher, wifiJoinText && ssid);
  return createPortal(
    <div className="printed-slip" lang={language} aria-hidden="true">
      {site?.hasLogo && <img src={`${basePath}/web/sites/${String(site.id)}/logo`} alt="" />}
      <div className="printed-slip-site">{siteName}</div>
      {ssid !== null && (
        <div>
          {texts.network}: <strong>{ssid}</strong>
        </div>
      )}
      {wifiPassword !== null && (
        <div>
          {texts.password}: <strong className="printed-slip-password">{wifiPassword}</strong>
        </div>
      )}
      <QrCode text={wifiJoinText ?? code} label="" size="32mm" />
      <div>{texts.code}</div>
      <div className="printed-slip-code code">{formattedCode}</div>
      <div>
        {texts.validity}
        <br />
        {texts.uses}
      </div>
      <ol className="printed-slip-steps">
        {texts.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {site?.slipText != null && <div className="printed-slip-text">{site.slipText}</div>}
      <div className="printed-slip-name">{typedName(name)}</div>
    </div>,
    document.body,
  );
};

/** What the browser prints while a voucher is shown, in place of the page. */
export const PrintedSlip = (props: PrintedSlipProps) => (
  <Suspense>
    <Slip {...props} />
  </Suspense>
);
