import { basePath } from '../api/serviceMeta.ts';
import type { Schemas } from '../api/schemas.ts';
import { QrCode } from '../components/QrCode.tsx';
import './SlipSheet.css';

interface SlipSheetProps {
  readonly slip: Schemas['Slip'];
  /** The site whose logo is on it. */
  readonly logoOf: number | undefined;
}

/** A slip as the browser prints it. */
export const SlipSheet = ({ slip, logoOf }: SlipSheetProps) => (
  <div className="slip-sheet">
    {logoOf !== undefined && <img src={`${basePath}/web/sites/${String(logoOf)}/logo`} alt="" />}
    <div className="slip-sheet-heading">{slip.siteName}</div>
    {slip.wifi.map(({ label, text }) => (
      <div key={label}>
        {label}{' '}
        <strong className="slip-sheet-wifi" dir="ltr">
          {text}
        </strong>
      </div>
    ))}
    <QrCode text={slip.qrText} label={slip.codeLabel} size="32mm" />
    <div>{slip.codeLabel}</div>
    <div className="slip-sheet-code code">{slip.formattedCode}</div>
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
