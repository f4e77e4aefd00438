import { fieldsOf, jsonOf, numberOf, textOf } from '../connection/reading.js';
import { retryAfterMs } from '../connection/waiting.js';
import type { CallReply } from '../connection/connection.js';
import { ControllerError, OutcomeUnknown } from '../controller.js';

/** What an answer says, whatever the shape of its error. */
export interface Answer {
  /** Was it about something of a site, or about the controller as a whole? */
  readonly inSite: boolean;
  readonly status: number;
  readonly json: unknown;
  /** The controller's own words and code; not to be trusted. */
  readonly message: string;
  readonly code: string;
  readonly retryAfterMs: number;
}

/**
 * Errors come in three shapes: the gateway's `{"error":{…}}`, which may even stand in an answer of status 200, the
 * application's `{"statusCode":…,"message":…}`, and pages of a proxy.
 */
export const readAnswer = ({ status, headers, text }: CallReply, inSite: boolean): Answer => {
  const json = jsonOf(text);
  const fields = fieldsOf(json);
  const error = fieldsOf(fields['error']);
  const inner = numberOf(error['code']);
  return {
    inSite,
    status: status < 300 && inner !== undefined ? inner : status,
    json,
    message: textOf(fields['message']) ?? textOf(error['message']) ?? '',
    code: textOf(fields['code']) ?? '',
    retryAfterMs: retryAfterMs(headers['retry-after']),
  };
};

/** Older ones know no vouchers in the Integration API. */
export const neededVersion = '9.1.120';

export interface RefusalOptions {
  readonly name: string;
  /** Makes the controller's words fit to be shown. */
  safe(text: string): string;
}

/** What an answer without success means. Only `OutcomeUnknown` leaves open whether something was done. */
export const refusalOf = (
  { inSite, status, message, code, retryAfterMs }: Answer,
  { name, safe }: RefusalOptions,
): ControllerError | OutcomeUnknown => {
  const controller = `Der Controller „${name}“`;
  const said = message === '' ? `Status ${status}` : `${safe(message)}, Status ${status}`;
  if (status >= 500 || status === 408)
    return new OutcomeUnknown(`${controller} ist gestört (Status ${status})`);
  if (status < 300) return new OutcomeUnknown(`Die Antwort des Controllers „${name}“ ist nicht lesbar`);
  if (status < 400)
    return new ControllerError('unreadable', `${controller} schickt an eine andere Adresse weiter (${said})`);
  if (status === 401)
    return new ControllerError('credentials', `${controller} nimmt den API-Schlüssel nicht an (${said})`);
  if (status === 403)
    return new ControllerError(
      'permission',
      `Der API-Schlüssel für den Controller „${name}“ darf das nicht (${said})`,
    );
  if (status === 429) {
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
    return new ControllerError('throttled', `${controller} wird zu oft gefragt; bitte ${seconds} s warten`);
  }
  if (status === 404 && !inSite)
    return new ControllerError(
      'unreadable',
      `Unter der Adresse des Controllers „${name}“ antwortet keine Integration API; nötig ist UniFi Network ${neededVersion}`,
    );
  if (status === 404 || isAboutSite(code, message))
    return new ControllerError('site', `${controller} kennt diesen Standort nicht (${said})`);
  return new ControllerError('refused', `${controller} hat die Anfrage abgelehnt (${said})`);
};

const isAboutSite = (code: string, message: string): boolean =>
  (code === '' || code === 'api.request.argument-type-mismatch') && /\bsite(Id)?\b/i.test(message);
