import { PNG } from 'pngjs';
import type { GuestTexts } from '../i18n/guestTexts.js';
import { toStoredLine } from '../lib/label.js';
import { escapeHtml } from './escapeHtml.js';
import { encodeQr } from '../printing/qrCode.js';
import { labelled, type VoucherSlip } from '../printing/voucherSlip.js';

/** A picture that the HTML shows by its name. */
interface EmailPicture {
  readonly cid: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: Buffer;
}

/** An e-mail with a voucher, before it has a sender and an address. */
export interface VoucherEmail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly pictures: readonly EmailPicture[];
}

const qrCid = 'qr@voucherd';
const logoCid = 'logo@voucherd';

/**
 * Own texts stand around what a guest needs, which is always
 * there: code, network, password, how long and how much.
 */
export const composeVoucherEmail = (slip: VoucherSlip, texts: GuestTexts): VoucherEmail => {
  const { logo, email } = slip;
  const site = toStoredLine(slip.siteName, 255);
  const opening = email.emailText ?? `${texts.get('emailGreeting')}\n\n${texts.get('emailIntro', { site })}`;
  const closing = email.emailClosing ?? slip.slipText ?? '';
  const subject = email.emailSubject || texts.get('emailSubject', { site });
  const network = slip.network && labelled(slip, slip.network.label, slip.network.ssid);
  const password = slip.password && labelled(slip, slip.password.label, slip.password.text);
  const facts = [network, password, slip.validity, slip.uses, slip.limits].filter(Boolean).join('\n');
  const qrText = slip.doesQrJoin ? texts.get('emailQr') : undefined;
  const text = [opening, slip.formattedCode, facts, slip.steps, closing].filter(Boolean).join('\n\n');
  const paragraph = (content: string, style = ''): string =>
    `<p style="margin:0 0 16px${style}">${keepWifi(escapeHtml(content)).replaceAll('\n', '<br>')}</p>`;
  const paragraphs = (content: string): string[] =>
    content.split(/\n{2,}/).flatMap((part) => (part === '' ? [] : [paragraph(part)]));
  const html = [
    `<!doctype html><html lang="${texts.language}" dir="${slip.direction}"><head><title>${escapeHtml(subject)}</title></head><body dir="${slip.direction}" style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#222;background:#fff">`,
    ...(logo
      ? [
          `<p style="margin:0 0 16px"><img src="cid:${logoCid}" alt="${escapeHtml(slip.siteName)}" style="max-width:240px;max-height:80px"></p>`,
        ]
      : []),
    ...paragraphs(opening),
    paragraph(slip.formattedCode, ';font:bold 32px/1.3 monospace;letter-spacing:1px'),
    // Blanks in a password count.
    paragraph(facts, ';white-space:pre-wrap;overflow-wrap:anywhere'),
    `<p style="margin:0 0 16px"><img src="cid:${qrCid}" width="200" height="200" alt="${escapeHtml(qrText ?? slip.formattedCode)}"></p>`,
    ...(qrText === undefined ? [] : [paragraph(qrText)]),
    ...paragraphs(slip.steps),
    ...paragraphs(closing),
    '</body></html>',
  ].join('\n');
  return {
    subject: toStoredLine(subject, 300),
    text,
    html,
    pictures: [
      { cid: qrCid, fileName: 'qr.png', mediaType: 'image/png', content: toQrPng(slip.qrText) },
      ...(logo
        ? [
            {
              cid: logoCid,
              mediaType: logo.mediaType,
              content: logo.file,
              fileName: logo.mediaType === 'image/png' ? 'logo.png' : 'logo.jpg',
            },
          ]
        : []),
    ],
  };
};

/** Browsers break lines after hyphens. */
const keepWifi = (html: string): string =>
  html.replaceAll('Wi-Fi', '<span style="white-space:nowrap">Wi-Fi</span>');

/** The HTML with its pictures in it, for a page that shows it. */
export const withPictures = ({ html, pictures }: VoucherEmail): string =>
  pictures.reduce(
    (shown, { cid, mediaType, content }) =>
      shown.replaceAll(`src="cid:${cid}"`, `src="data:${mediaType};base64,${content.toString('base64')}"`),
    html,
  );

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
