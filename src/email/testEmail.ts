import type { Texts } from '../i18n/language.js';

const texts = {
  de: {
    subject: 'Test-E-Mail von voucherd',
    text: 'Der Versand von E-Mails funktioniert. Sie können diese E-Mail löschen.',
  },
  en: {
    subject: 'Test e-mail from voucherd',
    text: 'Sending e-mails works. You can delete this one.',
  },
} as const satisfies Record<keyof Texts, { subject: string; text: string }>;

/** The e-mail that shows that e-mails can be sent. */
export const composeTestEmail = (language: keyof Texts): { subject: string; text: string; html: string } => {
  const { subject, text } = texts[language];
  const html = `<!doctype html><html lang="${language}"><body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#222"><p>${text}</p></body></html>`;
  return { subject, text, html };
};
