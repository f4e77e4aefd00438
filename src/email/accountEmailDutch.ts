import type { AccountNotice } from '../users/accountNotice.js';
import type { AccountEmailValues } from './accountEmailValues.js';

interface DutchWording {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What the link says. */
  readonly action?: string;
}

const roleNames = { admin: 'beheerder', staff: 'personeel', viewer: 'alleen lezen' } as const;

const notYou = 'Was u dat niet? Meld het dan meteen bij een beheerder.';

/** What an e-mail to a user says in Dutch. The time is as the language writes it; the address is that of the web UI. */
export const wordDutchAccountEmail = (
  notice: AccountNotice,
  { time, url, brand: { title } }: AccountEmailValues,
): DutchWording => {
  switch (notice.kind) {
    case 'password-reset':
      return {
        subject: 'Kies een nieuw wachtwoord',
        paragraphs: [
          'Voor uw account is een nieuw wachtwoord aangevraagd. Met deze link kunt u het kiezen. De link is één uur en maar één keer geldig.',
          'Was u dat niet, dan hoeft u niets te doen: uw wachtwoord blijft zoals het is.',
        ],
        action: 'Nieuw wachtwoord kiezen',
      };
    case 'no-password':
      return {
        subject: 'Zo meldt u zich aan',
        paragraphs: [
          'Voor uw account is een nieuw wachtwoord aangevraagd. Uw account heeft er geen: u meldt zich aan via uw identiteitsprovider (single sign-on). Open de aanmeldpagina en gebruik de knop onder het formulier.',
          `Aanmeldpagina: ${url}`,
        ],
      };
    case 'invitation':
      return {
        subject: `Uw toegang tot ${title ?? 'voucherd'}`,
        paragraphs: [
          `${notice.invitedBy} heeft een account voor u aangemaakt. Kies met deze link uw wachtwoord. De link is drie dagen en maar één keer geldig.`,
          `Daarna meldt u zich hier aan: ${url}`,
        ],
        action: 'Wachtwoord kiezen',
      };
    case 'role-changed':
      return {
        subject: 'Uw rechten zijn gewijzigd',
        paragraphs: [`Uw rol is nu: ${roleNames[notice.role]} (${time}). Meld u opnieuw aan.`],
      };
    case 'sites-changed':
      return {
        subject: 'Uw rechten zijn gewijzigd',
        paragraphs: [`De locaties die u ziet, zijn gewijzigd (${time}).`],
      };
    case 'disabled-changed':
      return {
        subject: notice.isDisabled ? 'Uw account is geblokkeerd' : 'Uw account is gedeblokkeerd',
        paragraphs: [
          notice.isDisabled
            ? `Uw account is geblokkeerd (${time}). U kunt zich niet meer aanmelden.`
            : `Uw account is gedeblokkeerd (${time}). U kunt zich weer aanmelden: ${url}`,
        ],
      };
    case 'password-changed':
      return {
        subject: 'Uw wachtwoord is gewijzigd',
        paragraphs: [`Het wachtwoord van uw account is gewijzigd (${time}).`, notYou],
      };
    case 'email-changed':
      return {
        subject: 'Uw e-mailadres is gewijzigd',
        paragraphs: [
          `Uw account heeft nu een ander e-mailadres (${time}). Naar dit adres wordt niets meer verzonden.`,
          notYou,
        ],
      };
    case 'second-factor-changed':
      return {
        subject: 'Uw tweede factor is gewijzigd',
        paragraphs: [
          notice.isInUse
            ? `Voor uw account is een tweede factor ingesteld (${time}).`
            : `De tweede factor van uw account is verwijderd (${time}).`,
          notYou,
        ],
      };
    case 'new-browser':
      return {
        subject: 'Aanmelding vanaf een nieuw apparaat',
        paragraphs: [
          `Iemand heeft zich bij uw account aangemeld met een browser die hier nog niet bekend was (${time}).`,
          `Adres: ${notice.address}\nBrowser: ${notice.browser ?? 'onbekend'}`,
          `Was u dat, dan hoeft u niets te doen. Wijzig anders meteen uw wachtwoord: ${url}/account`,
        ],
      };
  }
};
