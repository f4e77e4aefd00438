import type { CallReply } from '../connection/connection.js';
import { fieldsOf, jsonOf, numberOf, textOf } from '../connection/reading.js';
import { ControllerError, type Trouble } from '../controller.js';
import { permissionText } from './texts.js';
import { messageOf } from './verdict.js';

export interface Account {
  readonly username: string;
  readonly password: string;
}

/** A login that was refused, and for how long none is worth another try. */
export interface LoginRefusal {
  readonly trouble: Trouble;
  readonly restMs: number;
}

/** Another login within this time would lead to a lock-out, or make it longer. */
export const loginRestMs = 60_000;

/** Undefined for a login that went well. Throws when the answer says nothing about the account. */
export const loginRefusal = (reply: CallReply, name: string): LoginRefusal | undefined => {
  const { status, headers, text } = reply;
  const body = fieldsOf(jsonOf(text));
  const message = messageOf(body);
  const code = textOf(body['code']) ?? '';
  if (status === 429 || /LIMIT_REACHED/i.test(code))
    return { trouble: 'locked-out', restMs: restOf(headers['retry-after']) };
  if (status === 499 || /2fa|mfa/i.test(message ?? code))
    return { trouble: 'two-factor', restMs: loginRestMs };
  const inner = numberOf(fieldsOf(body['error'])['code']) ?? status;
  if (!isJsonObject(text) || inner >= 500)
    throw new ControllerError(
      'unreadable',
      `Der Controller „${name}“ startet gerade oder ist gestört: er antwortet nicht auf die Anmeldung (Status ${status})`,
    );
  if (message === 'api.err.NoPermission') return { trouble: 'permission', restMs: loginRestMs };
  if ([400, 401, 403].includes(inner) || message === 'api.err.Invalid')
    return { trouble: 'credentials', restMs: loginRestMs };
  if (inner >= 300 || message !== undefined)
    throw new ControllerError(
      'refused',
      `Der Controller „${name}“ hat die Anmeldung abgelehnt (${message ?? `Status ${inner}`})`,
    );
  return undefined;
};

const isJsonObject = (text: string): boolean => {
  const value = jsonOf(text);
  return typeof value === 'object' && value !== null;
};

const restOf = (retryAfter: string | undefined): number =>
  Math.max(loginRestMs, (numberOf(retryAfter) ?? 0) * 1000);

/** What a client reads, and the operator who can do something about it. */
export const refusalError = (trouble: Trouble, name: string, leftMs: number): ControllerError => {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  const controller = `Der Controller „${name}“`;
  const account = `Das Konto am Controller „${name}“`;
  const texts: Partial<Record<Trouble, string>> = {
    'locked-out': `${controller} lässt nach zu vielen Anmeldungen vorerst keine weitere zu; neuer Versuch in ${seconds} s`,
    credentials: `${controller} hat Benutzer oder Passwort abgelehnt; neuer Versuch frühestens in ${seconds} s`,
    'two-factor': `${account} verlangt einen zweiten Faktor. Bitte am Controller ein lokales Konto ohne zweiten Faktor anlegen, mit der Rolle Hotspot oder Administrator, und dieses verwenden`,
  };
  return new ControllerError(trouble, texts[trouble] ?? permissionText(name));
};
