import type { CSSProperties } from 'react';
import { brandPictureUrl, useBrand } from '../api/brand.ts';
import { basePath } from '../api/serviceMeta.ts';
import type { Schemas } from '../api/schemas.ts';
import { QrCode } from '../components/QrCode.tsx';
import './SlipSheet.css';

interface SlipSheetProps {
  readonly slip: Schemas['Slip'];
  /** The site whose logo is on it; that of the web UI where it has none. */
  readonly logoOf: number | undefined;
}

const SlipLogo = ({ siteId }: { readonly siteId: number | undefined }) => {
  const { logo } = useBrand();
  if (siteId !== undefined) return <img src={`${basePath}/web/sites/${String(siteId)}/logo`} alt="" />;
  // A light one can't be seen on paper.
  return logo && logo.tone !== 'light' && <img src={brandPictureUrl(logo.version)} alt="" />;
};

const toCodeStyle = (code: string): CSSProperties => ({ ['--characters' as 'order']: code.length });

/** A slip as the browser prints it. */
export const SlipSheet = ({ slip, logoOf }: SlipSheetProps) => (
  <div className="slip-sheet">
    <SlipLogo siteId={logoOf} />
    <div className="slip-sheet-heading">{slip.siteName}</div>
    {slip.wifi.map(({ label, text }) => (
      <div key={label}>
        {label}{' '}
        <strong className="slip-sheet-wifi" dir="ltr">
          {text}
        </strong>
      </div>
    ))}
    <QrCode text={slip.qrText} label={slip.codeLabel} size="8.2em" />
    <div>{slip.codeLabel}</div>
    <div className="slip-sheet-code code" style={toCodeStyle(slip.formattedCode)}>
      {slip.formattedCode}
    </div>
    <div>
      {slip.facts.map((fact) => (
        <div key={fact}>{fact}</div>
      ))}
    </div>
    {slip.steps !== '' && <div className="slip-sheet-text">{slip.steps}</div>}
    {slip.text !== null && <div className="slip-sheet-text">{slip.text}</div>}
    <div className="slip-sheet-name">{slip.name}</div>
  </div>
);
