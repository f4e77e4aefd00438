import type { AccountNotice } from '../users/accountNotice.js';
import type { AccountEmailValues } from './accountEmailValues.js';

interface ItalianWording {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What the link says. */
  readonly action?: string;
}

const roleNames = { admin: 'amministratore', staff: 'personale', viewer: 'sola lettura' } as const;

const notYou = 'Se non è stato Lei, avvisi subito un amministratore.';

/** What an e-mail to a user says in Italian. The time is as the language writes it; the address is that of the web UI. */
export const wordItalianAccountEmail = (
  notice: AccountNotice,
  { time, url, brand: { title } }: AccountEmailValues,
): ItalianWording => {
  switch (notice.kind) {
    case 'password-reset':
      return {
        subject: 'Scegliere una nuova password',
        paragraphs: [
          'per il Suo account è stata richiesta una nuova password. Con questo link può sceglierla. Vale un’ora e una sola volta.',
          'Se non è stato Lei, non deve fare nulla: la Sua password resta com’è.',
        ],
        action: 'Scegliere una nuova password',
      };
    case 'no-password':
      return {
        subject: 'Come accedere',
        paragraphs: [
          'per il Suo account è stata richiesta una nuova password. Il Suo account non ne ha: l’accesso avviene tramite il Suo provider di identità (single sign-on). Apra la pagina di accesso e scelga il pulsante sotto il modulo.',
          `Pagina di accesso: ${url}`,
        ],
      };
    case 'invitation':
      return {
        subject: `Il Suo accesso a ${title ?? 'voucherd'}`,
        paragraphs: [
          `${notice.invitedBy} ha creato un account per Lei. Con questo link scelga la Sua password. Vale tre giorni e una sola volta.`,
          `Poi acceda qui: ${url}`,
        ],
        action: 'Scegliere una password',
      };
    case 'role-changed':
      return {
        subject: 'I Suoi permessi sono stati modificati',
        paragraphs: [`il Suo ruolo è ora: ${roleNames[notice.role]} (${time}). Acceda di nuovo.`],
      };
    case 'sites-changed':
      return {
        subject: 'I Suoi permessi sono stati modificati',
        paragraphs: [`le sedi che vede sono state modificate (${time}).`],
      };
    case 'disabled-changed':
      return {
        subject: notice.isDisabled ? 'Il Suo account è stato bloccato' : 'Il Suo account è stato sbloccato',
        paragraphs: [
          notice.isDisabled
            ? `il Suo account è stato bloccato (${time}). Non può più accedere.`
            : `il Suo account è stato sbloccato (${time}). Può accedere di nuovo: ${url}`,
        ],
      };
    case 'password-changed':
      return {
        subject: 'La Sua password è stata cambiata',
        paragraphs: [`la password del Suo account è stata cambiata (${time}).`, notYou],
      };
    case 'email-changed':
      return {
        subject: 'Il Suo indirizzo e-mail è stato modificato',
        paragraphs: [
          `il Suo account ha ora un altro indirizzo e-mail (${time}). A questo non verrà più inviato nulla.`,
          notYou,
        ],
      };
    case 'second-factor-changed':
      return {
        subject: 'Il Suo secondo fattore è stato modificato',
        paragraphs: [
          notice.isInUse
            ? `per il Suo account è stato configurato un secondo fattore (${time}).`
            : `il secondo fattore del Suo account è stato rimosso (${time}).`,
          notYou,
        ],
      };
    case 'new-browser':
      return {
        subject: 'Accesso da un nuovo dispositivo',
        paragraphs: [
          `qualcuno ha effettuato l’accesso al Suo account da un browser finora sconosciuto qui (${time}).`,
          `Indirizzo: ${notice.address}\nBrowser: ${notice.browser ?? 'sconosciuto'}`,
          `Se è stato Lei, non deve fare nulla. Altrimenti cambi subito la Sua password: ${url}/account`,
        ],
      };
  }
};
