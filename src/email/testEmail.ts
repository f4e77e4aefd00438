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
  es: {
    subject: 'Correo de prueba de voucherd',
    text: 'El envío de correos funciona. Puede borrar este mensaje.',
  },
  fr: {
    subject: 'E-mail de test de voucherd',
    text: 'L’envoi d’e-mails fonctionne. Vous pouvez supprimer ce message.',
  },
  it: {
    subject: 'E-mail di prova di voucherd',
    text: 'L’invio di e-mail funziona. Può eliminare questo messaggio.',
  },
  nl: {
    subject: 'Test-e-mail van voucherd',
    text: 'Het verzenden van e-mails werkt. U kunt dit bericht verwijderen.',
  },
} as const satisfies Record<keyof Texts, { subject: string; text: string }>;

/** The e-mail that shows that e-mails can be sent. */
export const composeTestEmail = (language: keyof Texts): { subject: string; text: string; html: string } => {
  const { subject, text } = texts[language];
  const html = `<!doctype html><html lang="${language}"><body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#222"><p>${text}</p></body></html>`;
  return { subject, text, html };
};
