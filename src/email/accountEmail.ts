import type { EmailBrand } from '../branding/branding.js';
import type { PageLanguage } from '../i18n/language.js';
import { textIn } from '../i18n/messages.js';
import { toStoredLine } from '../lib/label.js';
import { fillTemplate } from '../lib/textTemplate.js';
import type { AccountNotice } from '../users/accountNotice.js';
import { escapeHtml } from './escapeHtml.js';
import type { VoucherEmail } from './voucherEmail.js';

/** What an e-mail to a user is made of. */
interface AccountEmailValues {
  /** Of the user. */
  readonly name: string;
  /** Where the web UI is. */
  readonly url: string;
  /** The link to choose a password, where there is one. */
  readonly link: string | undefined;
  /** When it was, as the language writes it. */
  readonly time: string;
  readonly brand: EmailBrand;
}

/** The code of its texts. */
const codeOf = (notice: AccountNotice) => {
  switch (notice.kind) {
    case 'disabled-changed':
      return notice.isDisabled ? 'disabled' : 'enabled';
    case 'second-factor-changed':
      return notice.isInUse ? 'second-factor-added' : 'second-factor-removed';
    default:
      return notice.kind;
  }
};

/**
 * Names and browsers are anything that somebody typed or sent: they are filled in once, and not looked into.
 */
const toWords = (
  notice: AccountNotice,
  language: PageLanguage,
  { name, time, url, brand }: AccountEmailValues,
) => {
  const word = (code: 'greeting' | 'not-you' | 'unknown-browser'): string =>
    textIn(language, 'accountWord', code);
  const values = {
    name: toStoredLine(name, 100),
    time,
    url,
    title: brand.title ?? 'voucherd',
    notYou: word('not-you'),
    ...('invitedBy' in notice && { invitedBy: notice.invitedBy }),
    ...('role' in notice && { role: textIn(language, 'role', notice.role) }),
    ...('address' in notice && {
      address: notice.address,
      browser: notice.browser ?? word('unknown-browser'),
    }),
  };
  const code = codeOf(notice);
  return {
    subject: fillTemplate(textIn(language, 'accountSubject', code), values),
    greeting: fillTemplate(word('greeting'), values),
    paragraphs: textIn(language, 'accountText', code)
      .split('\n\n')
      .map((paragraph) => fillTemplate(paragraph, values)),
    action:
      code === 'password-reset' || code === 'invitation'
        ? textIn(language, 'accountAction', code)
        : undefined,
  };
};

/** An e-mail to a user, as text and HTML. Names and browsers are anything that somebody typed or sent. */
export const composeAccountEmail = (
  notice: AccountNotice,
  language: PageLanguage,
  values: AccountEmailValues,
): Omit<VoucherEmail, 'pictures'> & Partial<Pick<VoucherEmail, 'pictures'>> => {
  const { subject, greeting, paragraphs, action } = toWords(notice, language, values);
  const { link, brand } = values;
  const [first = '', ...rest] = paragraphs;
  const text = [
    greeting,
    first,
    ...(link === undefined ? [] : [link]),
    ...rest,
    ...(brand.title === null ? [] : [brand.title]),
  ].join('\n\n');
  const paragraph = (content: string): string =>
    `<p style="margin:0 0 16px">${escapeHtml(content).replaceAll('\n', '<br>')}</p>`;
  const linkStyle = brand.linkColour === null ? '' : ` style="color:${brand.linkColour}"`;
  const button =
    link === undefined
      ? []
      : [
          `<p style="margin:0 0 16px"><a href="${escapeHtml(link)}"${linkStyle}>${escapeHtml(action ?? link)}</a></p>`,
          paragraph(link),
        ];
  const head = headOf(brand);
  const html = [
    `<!doctype html><html lang="${language}"><body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#222;background:#fff">`,
    ...head,
    ...[paragraph(greeting), paragraph(first), ...button, ...rest.map(paragraph)],
    '</body></html>',
  ].join('\n');
  const { logo } = brand;
  return {
    subject: toStoredLine(subject, 300),
    text,
    html,
    ...(logo && {
      pictures: [
        {
          cid: logoCid,
          mediaType: logo.mediaType,
          content: logo.image,
          fileName: logo.mediaType === 'image/png' ? 'logo.png' : 'logo.jpg',
        },
      ],
    }),
  };
};

const logoCid = 'logo@voucherd';

/** The logo, or else the title, where an administrator has set one. */
const headOf = ({ title, logo }: EmailBrand): string[] => {
  if (logo) {
    const ground = logo.isLight ? ';padding:8px 12px;background:#1a2130' : '';
    return [
      `<p style="margin:0 0 16px"><img src="cid:${logoCid}" alt="${escapeHtml(title ?? '')}" style="max-width:240px;max-height:60px${ground}"></p>`,
    ];
  }
  return title === null
    ? []
    : [`<p style="margin:0 0 16px;font-size:20px;font-weight:bold">${escapeHtml(title)}</p>`];
};
