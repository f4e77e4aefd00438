import { PNG } from 'pngjs';
import type { GuestTexts } from '../i18n/guestTexts.js';
import { toStoredLine } from '../lib/label.js';
import { escapeHtml } from './escapeHtml.js';
import { encodeQr } from '../printing/qrCode.js';
import type { VoucherSlip } from '../printing/voucherSlip.js';

/** An e-mail with a voucher, before it has a sender and an address. */
export interface VoucherEmail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** A picture that the HTML shows. */
  readonly qrPicture: { readonly cid: string; readonly png: Buffer };
}

const qrCid = 'qr@voucherd';

export const composeVoucherEmail = (slip: VoucherSlip, texts: GuestTexts): VoucherEmail => {
  const site = toStoredLine(slip.siteName, 255);
  const intro = texts.get('emailIntro', { site });
  const network = slip.network && `${slip.network.label}: ${slip.network.ssid}`;
  const password = slip.password && `${slip.password.label}: ${slip.password.text}`;
  const facts = [network, password, slip.validity, slip.uses, slip.limits].filter(Boolean).join('\n');
  const qrText = slip.doesQrJoin ? texts.get('emailQr') : undefined;
  const steps = slip.steps.map((step, index) => `${String(index + 1)}. ${step}`);
  const text = [texts.get('emailGreeting'), intro, slip.formattedCode, facts, steps.join('\n'), slip.slipText]
    .filter(Boolean)
    .join('\n\n');
  const paragraph = (content: string, style = ''): string =>
    `<p style="margin:0 0 16px${style}">${escapeHtml(content).replaceAll('\n', '<br>')}</p>`;
  const html = [
    `<!doctype html><html lang="${texts.language}"><body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#222">`,
    paragraph(texts.get('emailGreeting')),
    paragraph(intro),
    paragraph(slip.formattedCode, ';font:bold 32px/1.3 monospace;letter-spacing:1px'),
    // Blanks in a password count.
    paragraph(facts, ';white-space:pre-wrap;overflow-wrap:anywhere'),
    `<p style="margin:0 0 16px"><img src="cid:${qrCid}" width="200" height="200" alt="${escapeHtml(qrText ?? slip.formattedCode)}"></p>`,
    ...(qrText === undefined ? [] : [paragraph(qrText)]),
    paragraph(steps.join('\n')),
    ...(slip.slipText === null ? [] : [paragraph(slip.slipText)]),
    '</body></html>',
  ].join('\n');
  return {
    subject: toStoredLine(texts.get('emailSubject', { site }), 300),
    text,
    html,
    qrPicture: { cid: qrCid, png: toQrPng(slip.qrText) },
  };
};

const pixelsPerSquare = 8;
/** The light margin that cameras need, in squares. */
const margin = 4;

const toQrPng = (text: string): Buffer => {
  const { size, rows } = encodeQr(text);
  const side = (size + 2 * margin) * pixelsPerSquare;
  const picture = new PNG({ width: side, height: side, colorType: 0 });
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      const row = rows[Math.floor(y / pixelsPerSquare) - margin];
      const isDark = row?.[Math.floor(x / pixelsPerSquare) - margin] === true;
      picture.data.fill(isDark ? 0 : 255, (y * side + x) * 4, (y * side + x) * 4 + 3);
      picture.data[(y * side + x) * 4 + 3] = 255;
    }
  return PNG.sync.write(picture, { colorType: 0 });
};
