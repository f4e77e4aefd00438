import type { EmailBrand } from '../branding/branding.js';
import type { PageLanguage } from '../i18n/language.js';
import { toStoredLine } from '../lib/label.js';
import type { AccountNotice } from '../users/accountNotice.js';
import { wordDutchAccountEmail } from './accountEmailDutch.js';
import { wordFrenchAccountEmail } from './accountEmailFrench.js';
import { wordItalianAccountEmail } from './accountEmailItalian.js';
import { wordSpanishAccountEmail } from './accountEmailSpanish.js';
import type { AccountEmailValues } from './accountEmailValues.js';
import { escapeHtml } from './escapeHtml.js';
import type { VoucherEmail } from './voucherEmail.js';

interface Wording {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What the link says. */
  readonly action?: string;
}

const roleNames = {
  de: { admin: 'Administrator', staff: 'Personal', viewer: 'Lesezugriff' },
  en: { admin: 'administrator', staff: 'staff', viewer: 'viewer' },
} as const;

const wordings: Readonly<
  Record<PageLanguage, (notice: AccountNotice, values: AccountEmailValues) => Wording>
> = {
  de: (notice, { time, url, brand: { title } }) => {
    const notYou = 'Wenn Sie das nicht waren, wenden Sie sich bitte gleich an einen Administrator.';
    switch (notice.kind) {
      case 'password-reset':
        return {
          subject: 'Neues Passwort wählen',
          paragraphs: [
            'für Ihr Konto wurde ein neues Passwort angefordert. Mit diesem Link können Sie es wählen. Er gilt eine Stunde und nur einmal.',
            'Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.',
          ],
          action: 'Neues Passwort wählen',
        };
      case 'no-password':
        return {
          subject: 'So melden Sie sich an',
          paragraphs: [
            'für Ihr Konto wurde ein neues Passwort angefordert. Ihr Konto hat keines: Sie melden sich über Ihren Identitätsanbieter an (Single Sign-on). Öffnen Sie dazu die Anmeldeseite und wählen Sie dort den Knopf unter dem Formular.',
            `Anmeldeseite: ${url}`,
          ],
        };
      case 'invitation':
        return {
          subject: `Ihr Zugang zu ${title ?? 'voucherd'}`,
          paragraphs: [
            `${notice.invitedBy} hat ein Konto für Sie erstellt. Wählen Sie mit diesem Link Ihr Passwort. Er gilt drei Tage und nur einmal.`,
            `Danach melden Sie sich hier an: ${url}`,
          ],
          action: 'Passwort wählen',
        };
      case 'role-changed':
        return {
          subject: 'Ihre Rechte wurden geändert',
          paragraphs: [
            `Ihre Rolle ist jetzt: ${roleNames.de[notice.role]} (${time}). Bitte melden Sie sich neu an.`,
          ],
        };
      case 'sites-changed':
        return {
          subject: 'Ihre Rechte wurden geändert',
          paragraphs: [`die Standorte, die Sie sehen, wurden geändert (${time}).`],
        };
      case 'disabled-changed':
        return {
          subject: notice.isDisabled ? 'Ihr Konto wurde gesperrt' : 'Ihr Konto wurde entsperrt',
          paragraphs: [
            notice.isDisabled
              ? `Ihr Konto wurde gesperrt (${time}). Sie können sich nicht mehr anmelden.`
              : `Ihr Konto wurde entsperrt (${time}). Sie können sich wieder anmelden: ${url}`,
          ],
        };
      case 'password-changed':
        return {
          subject: 'Ihr Passwort wurde geändert',
          paragraphs: [`das Passwort Ihres Kontos wurde geändert (${time}).`, notYou],
        };
      case 'email-changed':
        return {
          subject: 'Ihre E-Mail-Adresse wurde geändert',
          paragraphs: [
            `zu Ihrem Konto gehört jetzt eine andere E-Mail-Adresse (${time}). An diese hier wird nichts mehr gesendet.`,
            notYou,
          ],
        };
      case 'second-factor-changed':
        return {
          subject: 'Ihr zweiter Faktor wurde geändert',
          paragraphs: [
            notice.isInUse
              ? `für Ihr Konto wurde ein zweiter Faktor eingerichtet (${time}).`
              : `der zweite Faktor Ihres Kontos wurde entfernt (${time}).`,
            notYou,
          ],
        };
      case 'new-browser':
        return {
          subject: 'Anmeldung von einem neuen Gerät',
          paragraphs: [
            `jemand hat sich mit Ihrem Konto von einem Browser angemeldet, der hier noch nicht bekannt war (${time}).`,
            `Adresse: ${notice.address}\nBrowser: ${notice.browser ?? 'unbekannt'}`,
            `Waren Sie das, brauchen Sie nichts zu tun. Sonst ändern Sie bitte gleich Ihr Passwort: ${url}/account`,
          ],
        };
    }
  },
  en: (notice, { time, url, brand: { title } }) => {
    const notYou = 'If that was not you, please tell an administrator at once.';
    switch (notice.kind) {
      case 'password-reset':
        return {
          subject: 'Choose a new password',
          paragraphs: [
            'A new password was requested for your account. Choose it with this link, which is valid for one hour and can be used once.',
            'If that was not you, there is nothing to do: your password stays as it is.',
          ],
          action: 'Choose a new password',
        };
      case 'no-password':
        return {
          subject: 'How to sign in',
          paragraphs: [
            'A new password was requested for your account. It has none: you sign in at your identity provider (single sign-on). Open the sign-in page and use the button below the form.',
            `Sign-in page: ${url}`,
          ],
        };
      case 'invitation':
        return {
          subject: `Your access to ${title ?? 'voucherd'}`,
          paragraphs: [
            `${notice.invitedBy} has created an account for you. Choose your password with this link, which is valid for three days and can be used once.`,
            `After that, sign in here: ${url}`,
          ],
          action: 'Choose a password',
        };
      case 'role-changed':
        return {
          subject: 'Your permissions were changed',
          paragraphs: [`Your role is now: ${roleNames.en[notice.role]} (${time}). Please sign in again.`],
        };
      case 'sites-changed':
        return {
          subject: 'Your permissions were changed',
          paragraphs: [`The sites that you see were changed (${time}).`],
        };
      case 'disabled-changed':
        return {
          subject: notice.isDisabled ? 'Your account was disabled' : 'Your account was enabled',
          paragraphs: [
            notice.isDisabled
              ? `Your account was disabled (${time}). You can no longer sign in.`
              : `Your account was enabled (${time}). You can sign in again: ${url}`,
          ],
        };
      case 'password-changed':
        return {
          subject: 'Your password was changed',
          paragraphs: [`The password of your account was changed (${time}).`, notYou],
        };
      case 'email-changed':
        return {
          subject: 'Your e-mail address was changed',
          paragraphs: [
            `Your account has another e-mail address now (${time}). Nothing more is sent to this one.`,
            notYou,
          ],
        };
      case 'second-factor-changed':
        return {
          subject: 'Your second factor was changed',
          paragraphs: [
            notice.isInUse
              ? `A second factor was set up for your account (${time}).`
              : `The second factor of your account was removed (${time}).`,
            notYou,
          ],
        };
      case 'new-browser':
        return {
          subject: 'Sign-in from a new device',
          paragraphs: [
            `Somebody has signed in to your account with a browser that was not known here (${time}).`,
            `Address: ${notice.address}\nBrowser: ${notice.browser ?? 'unknown'}`,
            `If that was you, there is nothing to do. Otherwise please change your password at once: ${url}/account`,
          ],
        };
    }
  },
  es: wordSpanishAccountEmail,
  fr: wordFrenchAccountEmail,
  it: wordItalianAccountEmail,
  nl: wordDutchAccountEmail,
};

const greetings: Readonly<Record<PageLanguage, (name: string) => string>> = {
  de: (name) => `Guten Tag, ${name},`,
  en: (name) => `Hello ${name},`,
  es: (name) => `Hola, ${name}:`,
  fr: (name) => `Bonjour ${name},`,
  it: (name) => `Buongiorno ${name},`,
  nl: (name) => `Goedendag ${name},`,
};

/** An e-mail to a user, as text and HTML. Names and browsers are anything that somebody typed or sent. */
export const composeAccountEmail = (
  notice: AccountNotice,
  language: PageLanguage,
  values: AccountEmailValues,
): Omit<VoucherEmail, 'pictures'> & Partial<Pick<VoucherEmail, 'pictures'>> => {
  const { subject, paragraphs, action } = wordings[language](notice, values);
  const name = toStoredLine(values.name, 100);
  const greeting = greetings[language](name);
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
          ...{ cid: logoCid, mediaType: logo.mediaType, content: logo.image },
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
