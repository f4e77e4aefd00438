import type { PageLanguage } from '../i18n/language.js';
import { textIn } from '../i18n/messages.js';

/** The e-mail that shows that e-mails can be sent. */
export const composeTestEmail = (language: PageLanguage): { subject: string; text: string; html: string } => {
  const text = textIn(language, 'accountText', 'test');
  const html = `<!doctype html><html lang="${language}"><body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#222"><p>${text}</p></body></html>`;
  return { subject: textIn(language, 'accountSubject', 'test'), text, html };
};
