import type { IncomingHttpHeaders } from 'node:http';
import { fieldsOf, jsonOf, numberOf, type Fields } from '../connection/reading.js';
import { retryAfterMs } from '../connection/waiting.js';
import { ControllerError, OutcomeUnknown, type Trouble } from '../controller.js';
import { permissionText } from './texts.js';

/** What an answer of UniFi Network means. */
export type Verdict<T> =
  | { readonly kind: 'ok'; readonly value: T; readonly meta?: Fields }
  /** The session is over. */
  | { readonly kind: 'expired' }
  /** The CSRF token is none, or an old one. */
  | { readonly kind: 'csrf' }
  /** There is no UniFi Network under this path. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'throttled'; readonly waitMs: number }
  /** Nothing was done. The reason is the controller's own code, or the status. */
  | { readonly kind: 'refused'; readonly trouble: Trouble; readonly reason: string }
  /** Whether something was done can't be told. */
  | { readonly kind: 'broken'; readonly status: number };

/** All but these are plain refusals. */
const troubleByMessage: Readonly<Record<string, Trouble>> = {
  'api.err.NoPermission': 'permission',
  'api.err.NoSiteContext': 'site',
  'api.err.InvalidArgs': 'bounds',
};

/** The code of an error, when there is one: of what a controller says only this is ever repeated. */
export const messageOf = (body: Fields): string | undefined => {
  const { rc, msg } = fieldsOf(body['meta']);
  if (rc === 'ok' || rc === undefined) return undefined;
  return typeof msg === 'string' && /^api\.err\.\w{1,40}$/.test(msg) ? msg : 'api.err';
};

/** An answer that is held as text. */
export const verdictOn = ({
  status,
  headers,
  text,
}: {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}): Verdict<readonly unknown[]> => judge(status, headers, fieldsOf(jsonOf(text)), text);

/** An answer whose fields are known already. */
export const judge = (
  answered: number,
  headers: IncomingHttpHeaders,
  body: Fields,
  text = '',
): Verdict<readonly unknown[]> => {
  // UniFi OS may put a failure into an answer that looks well.
  const inner = numberOf(fieldsOf(body['error'])['code']);
  const status = answered < 300 && inner !== undefined ? inner : answered;
  const message = messageOf(body);
  if (status >= 500 || status === 408) return { kind: 'broken', status };
  if (status === 429) return { kind: 'throttled', waitMs: retryAfterMs(headers['retry-after']) };
  if (message === 'api.err.LoginRequired') return { kind: 'expired' };
  const trouble = message === undefined ? undefined : troubleByMessage[message];
  if (trouble) return { kind: 'refused', trouble, reason: message ?? '' };
  if (status === 401) return { kind: 'expired' };
  if (status === 403 && /csrf/i.test(text)) return { kind: 'csrf' };
  if (status === 403) return { kind: 'refused', trouble: 'permission', reason: message ?? 'Status 403' };
  if (message !== undefined) return { kind: 'refused', trouble: 'refused', reason: message };
  if (status === 404) return { kind: 'moved' };
  if (status >= 400) return { kind: 'refused', trouble: 'refused', reason: `Status ${status}` };
  if (status >= 300) return { kind: 'refused', trouble: 'unreadable', reason: `Umleitung, Status ${status}` };
  const { data } = body;
  const meta = fieldsOf(body['meta']);
  if (meta['rc'] === 'ok' && Array.isArray(data)) return { kind: 'ok', value: data, meta };
  return { kind: 'broken', status };
};

/** The value of an answer, or what is thrown instead. */
export const settle = <T>(verdict: Verdict<T>, name: string): T => {
  const controller = `Der Controller „${name}“`;
  switch (verdict.kind) {
    case 'ok':
      return verdict.value;
    case 'expired':
      throw new ControllerError('refused', `${controller} verlangt gleich nach der Anmeldung eine neue`);
    case 'csrf':
      throw new ControllerError(
        'refused',
        `${controller} nimmt von dieser Anmeldung keine Änderung an (CSRF)`,
      );
    case 'moved':
      throw new ControllerError(
        'unreadable',
        `Unter der Adresse des Controllers „${name}“ antwortet kein UniFi Network (Status 404)`,
      );
    case 'throttled': {
      const seconds = Math.max(1, Math.ceil(verdict.waitMs / 1000));
      throw new ControllerError('throttled', `${controller} wird zu oft gefragt; bitte ${seconds} s warten`);
    }
    case 'refused':
      throw new ControllerError(verdict.trouble, `${refusalText(verdict.trouble, name)} (${verdict.reason})`);
    case 'broken':
      throw new OutcomeUnknown(
        verdict.status < 300
          ? `Die Antwort des Controllers „${name}“ ist nicht lesbar (Status ${verdict.status})`
          : `${controller} ist gestört (Status ${verdict.status})`,
      );
  }
};

const refusalText = (trouble: Trouble, name: string): string => {
  const controller = `Der Controller „${name}“`;
  if (trouble === 'permission') return permissionText(name);
  if (trouble === 'site') return `${controller} kennt diesen Standort nicht`;
  if (trouble === 'bounds') return `${controller} hat einen Wert des Auftrags abgelehnt`;
  if (trouble === 'unreadable') return `${controller} schickt an eine andere Adresse weiter`;
  return `${controller} hat die Anfrage abgelehnt`;
};
