import type { AccountNotice } from '../users/accountNotice.js';
import type { AccountEmailValues } from './accountEmailValues.js';

interface SpanishWording {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What the link says. */
  readonly action?: string;
}

const roleNames = { admin: 'administrador', staff: 'personal', viewer: 'solo lectura' } as const;

const notYou = 'Si no ha sido usted, avise enseguida a un administrador.';

/** What an e-mail to a user says in Spanish. The time is as the language writes it; the address is that of the web UI. */
export const wordSpanishAccountEmail = (
  notice: AccountNotice,
  { time, url, brand: { title } }: AccountEmailValues,
): SpanishWording => {
  switch (notice.kind) {
    case 'password-reset':
      return {
        subject: 'Elija una contraseña nueva',
        paragraphs: [
          'Se ha solicitado una contraseña nueva para su cuenta. Puede elegirla con este enlace. Es válido durante una hora y una sola vez.',
          'Si no ha sido usted, no tiene que hacer nada: su contraseña no cambia.',
        ],
        action: 'Elegir una contraseña nueva',
      };
    case 'no-password':
      return {
        subject: 'Cómo iniciar sesión',
        paragraphs: [
          'Se ha solicitado una contraseña nueva para su cuenta. Su cuenta no tiene contraseña: usted inicia sesión a través de su proveedor de identidad (inicio de sesión único). Abra la página de inicio de sesión y use el botón que hay debajo del formulario.',
          `Página de inicio de sesión: ${url}`,
        ],
      };
    case 'invitation':
      return {
        subject: `Su acceso a ${title ?? 'voucherd'}`,
        paragraphs: [
          `${notice.invitedBy} ha creado una cuenta para usted. Elija su contraseña con este enlace. Es válido durante tres días y una sola vez.`,
          `Después, inicie sesión aquí: ${url}`,
        ],
        action: 'Elegir una contraseña',
      };
    case 'role-changed':
      return {
        subject: 'Sus permisos han cambiado',
        paragraphs: [`Su rol es ahora: ${roleNames[notice.role]} (${time}). Inicie sesión de nuevo.`],
      };
    case 'sites-changed':
      return {
        subject: 'Sus permisos han cambiado',
        paragraphs: [`Las sedes que usted ve han cambiado (${time}).`],
      };
    case 'disabled-changed':
      return {
        subject: notice.isDisabled ? 'Su cuenta ha sido bloqueada' : 'Su cuenta ha sido desbloqueada',
        paragraphs: [
          notice.isDisabled
            ? `Su cuenta ha sido bloqueada (${time}). Ya no puede iniciar sesión.`
            : `Su cuenta ha sido desbloqueada (${time}). Puede iniciar sesión de nuevo: ${url}`,
        ],
      };
    case 'password-changed':
      return {
        subject: 'Su contraseña ha cambiado',
        paragraphs: [`Se ha cambiado la contraseña de su cuenta (${time}).`, notYou],
      };
    case 'email-changed':
      return {
        subject: 'Su correo electrónico ha cambiado',
        paragraphs: [
          `Su cuenta tiene ahora otro correo electrónico (${time}). A esta dirección ya no se enviará nada.`,
          notYou,
        ],
      };
    case 'second-factor-changed':
      return {
        subject: 'Su segundo factor ha cambiado',
        paragraphs: [
          notice.isInUse
            ? `Se ha configurado un segundo factor para su cuenta (${time}).`
            : `Se ha eliminado el segundo factor de su cuenta (${time}).`,
          notYou,
        ],
      };
    case 'new-browser':
      return {
        subject: 'Inicio de sesión desde un dispositivo nuevo',
        paragraphs: [
          `Alguien ha iniciado sesión en su cuenta desde un navegador nuevo (${time}).`,
          `Dirección: ${notice.address}\nNavegador: ${notice.browser ?? 'desconocido'}`,
          `Si ha sido usted, no tiene que hacer nada. De lo contrario, cambie enseguida su contraseña: ${url}/account`,
        ],
      };
  }
};
