import type { AccountNotice } from '../users/accountNotice.js';
import type { AccountEmailValues } from './accountEmailValues.js';

interface FrenchWording {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What the link says. */
  readonly action?: string;
}

const roleNames = { admin: 'administrateur', staff: 'personnel', viewer: 'lecteur' } as const;

const notYou = 'Si ce n’était pas vous, prévenez aussitôt un administrateur.';

/** What an e-mail to a user says in French. The time is as the language writes it; the address is that of the web UI. */
export const wordFrenchAccountEmail = (
  notice: AccountNotice,
  { time, url, brand: { title } }: AccountEmailValues,
): FrenchWording => {
  switch (notice.kind) {
    case 'password-reset':
      return {
        subject: 'Choisir un nouveau mot de passe',
        paragraphs: [
          'Un nouveau mot de passe a été demandé pour votre compte. Ce lien vous permet de le choisir. Il est valable une heure et une seule fois.',
          'Si ce n’était pas vous, vous n’avez rien à faire : votre mot de passe reste inchangé.',
        ],
        action: 'Choisir un nouveau mot de passe',
      };
    case 'no-password':
      return {
        subject: 'Comment vous connecter',
        paragraphs: [
          'Un nouveau mot de passe a été demandé pour votre compte. Votre compte n’en a pas : vous vous connectez via votre fournisseur d’identité (SSO). Ouvrez la page de connexion et choisissez le bouton sous le formulaire.',
          `Page de connexion : ${url}`,
        ],
      };
    case 'invitation':
      return {
        subject: `Votre accès à ${title ?? 'voucherd'}`,
        paragraphs: [
          `${notice.invitedBy} a créé un compte pour vous. Choisissez votre mot de passe avec ce lien. Il est valable trois jours et une seule fois.`,
          `Ensuite, connectez-vous ici : ${url}`,
        ],
        action: 'Choisir un mot de passe',
      };
    case 'role-changed':
      return {
        subject: 'Vos droits ont été modifiés',
        paragraphs: [
          `Votre rôle est maintenant : ${roleNames[notice.role]} (${time}). Veuillez vous reconnecter.`,
        ],
      };
    case 'sites-changed':
      return {
        subject: 'Vos droits ont été modifiés',
        paragraphs: [`Les sites que vous voyez ont été modifiés (${time}).`],
      };
    case 'disabled-changed':
      return {
        subject: notice.isDisabled ? 'Votre compte a été bloqué' : 'Votre compte a été débloqué',
        paragraphs: [
          notice.isDisabled
            ? `Votre compte a été bloqué (${time}). Vous ne pouvez plus vous connecter.`
            : `Votre compte a été débloqué (${time}). Vous pouvez de nouveau vous connecter : ${url}`,
        ],
      };
    case 'password-changed':
      return {
        subject: 'Votre mot de passe a été changé',
        paragraphs: [`Le mot de passe de votre compte a été changé (${time}).`, notYou],
      };
    case 'email-changed':
      return {
        subject: 'Votre adresse e-mail a été modifiée',
        paragraphs: [
          `Votre compte a maintenant une autre adresse e-mail (${time}). Plus rien ne sera envoyé à celle-ci.`,
          notYou,
        ],
      };
    case 'second-factor-changed':
      return {
        subject: 'Votre second facteur a été modifié',
        paragraphs: [
          notice.isInUse
            ? `Un second facteur a été configuré pour votre compte (${time}).`
            : `Le second facteur de votre compte a été supprimé (${time}).`,
          notYou,
        ],
      };
    case 'new-browser':
      return {
        subject: 'Connexion depuis un nouvel appareil',
        paragraphs: [
          `Quelqu’un s’est connecté à votre compte depuis un navigateur encore inconnu ici (${time}).`,
          `Adresse : ${notice.address}\nNavigateur : ${notice.browser ?? 'inconnu'}`,
          `Si c’était vous, vous n’avez rien à faire. Sinon, changez aussitôt votre mot de passe : ${url}/account`,
        ],
      };
  }
};
