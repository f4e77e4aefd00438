import { fieldsOf, jsonOf, numberOf, textOf } from '../connection/reading.js';
import { retryAfterMs } from '../connection/waiting.js';
import type { CallReply } from '../connection/connection.js';
import { ControllerError, OutcomeUnknown } from '../controller.js';
import { wholeSeconds, type Failure } from '../failure.js';

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
  const refusal = (failure: Failure): ControllerError => new ControllerError(name, failure);
  const quote = { ...(message !== '' && { said: safe(message) }), status };
  if (status >= 500 || status === 408)
    return new OutcomeUnknown(name, { trouble: 'unreadable', reason: 'faulty', status });
  if (status < 300) return new OutcomeUnknown(name, { trouble: 'unreadable', reason: 'answer' });
  if (status < 400) return refusal({ trouble: 'unreadable', reason: 'redirect', ...quote });
  if (status === 401) return refusal({ trouble: 'credentials', of: 'api-key', ...quote });
  if (status === 403) return refusal({ trouble: 'permission', of: 'api-key', ...quote });
  if (status === 429) return refusal({ trouble: 'throttled', seconds: wholeSeconds(retryAfterMs) });
  if (status === 404 && !inSite)
    return refusal({ trouble: 'unreadable', reason: 'no-integration-api', needed: neededVersion });
  if (status === 404 || isAboutSite(code, message))
    return refusal({ trouble: 'site', reason: 'unknown', ...quote });
  return refusal({ trouble: 'refused', reason: 'request', ...quote });
};

const isAboutSite = (code: string, message: string): boolean =>
  (code === '' || code === 'api.request.argument-type-mismatch') && /\bsite(Id)?\b/i.test(message);
