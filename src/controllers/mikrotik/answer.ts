import { ControllerError, OutcomeUnknown } from '../errors.js';
import type { Failure } from '../failure.js';
import type { ControllerReply } from '../https/exchange.js';
import { asFields, asText, tryParseJson } from '../parsing.js';

/** An answer of the REST API. */
export interface RestAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The router's own text about an error; untrusted. */
  readonly detail: string;
}

export const parseRestAnswer = ({ status, text }: ControllerReply): RestAnswer => {
  const body = tryParseJson(text);
  const { detail, message } = asFields(body);
  return { status, body, detail: asText(detail) ?? (status >= 300 ? (asText(message) ?? '') : '') };
};

/** There is one with this name already. */
export const isDuplicate = ({ status, detail }: RestAnswer): boolean =>
  status === 400 && /\balready\b/i.test(detail);

/** The item is gone. */
export const isGone = ({ status, detail }: RestAnswer): boolean =>
  status === 404 || (status === 400 && /\bno such item\b/i.test(detail));

/** The package with this menu is not installed. */
export const isUnknownMenu = ({ status, detail }: RestAnswer): boolean =>
  status === 404 || (status === 400 && /\bno such command\b/i.test(detail));

/** A name that the item refers to is gone: `input does not match any value of profile`. */
export const isUnknownReference = ({ status, detail }: RestAnswer, field: string): boolean =>
  status === 400 && detail.toLowerCase().includes(`any value of ${field}`);

interface AnswerErrorOptions {
  readonly name: string;
  /** Makes the router's text safe to show. */
  safe(text: string): string;
}

/** The error that an unsuccessful answer means. With `OutcomeUnknown` something may have been done. */
export const toRestError = (
  { status, detail }: RestAnswer,
  { name, safe }: AnswerErrorOptions,
): ControllerError | OutcomeUnknown => {
  const refusal = (failure: Failure): ControllerError => new ControllerError(name, failure);
  const quote = detail === '' ? { status } : { said: safe(detail) };
  if (/\bnot enough permissions\b/i.test(detail) || status === 403)
    return refusal({ kind: 'permission', of: 'account', ...quote });
  // A command that takes more than a minute is given up, done or not.
  if (status >= 500 || status === 408 || /\bsession closed\b/i.test(detail))
    return new OutcomeUnknown(name, { kind: 'unreadable', reason: 'faulty', status });
  if (status === 429) return refusal({ kind: 'throttled', seconds: 1 });
  if (status >= 300 && status < 400) return refusal({ kind: 'unreadable', reason: 'redirect', status });
  if (status === 404 || isUnknownMenu({ status, detail, body: undefined }))
    return refusal({ kind: 'unreadable', reason: 'answer', ...quote });
  if (status < 300) return new OutcomeUnknown(name, { kind: 'unreadable', reason: 'answer' });
  return refusal({ kind: 'refused', reason: 'request', ...quote });
};
