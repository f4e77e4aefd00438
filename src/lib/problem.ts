import { types } from 'node:util';
import type { components } from '../../generated/openapi.js';
import type { components as webComponents } from '../../generated/web.js';

const { isNativeError } = types;

/** The contracts list the codes, and give each its status and its text. */
type ProblemCode = components['schemas']['Error']['error'] | webComponents['schemas']['Error']['error'];

/** A refusal. `values` fill the braces in the contract's text; `headers` go with the answer. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly code: ProblemCode,
    readonly values: Readonly<Record<string, string>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
    /** What went wrong, for the log. */
    cause?: unknown,
  ) {
    super(values['message'] ?? code, cause === undefined ? {} : { cause });
  }
}

/** How a refusal is answered over HTTP. */
type RefusalKind = 'refused' | 'missing' | 'invalid' | 'busy';

/**
 * Something that can't be done, and nothing has changed. The command line prints its English text; the pages have a
 * text of their own for each reason.
 */
export class Refusal<Reason extends string = string> extends Error {
  override readonly name: string = 'Refusal';

  constructor(
    readonly reason: Reason,
    message: string,
    readonly kind: RefusalKind = 'refused',
  ) {
    super(message);
  }

  toProblem(): Problem {
    const message = this.reason;
    switch (this.kind) {
      case 'missing':
        return new Problem('not_found', { message });
      case 'invalid':
        return new Problem('invalid_request', { message });
      case 'busy':
        return makeUnavailable();
      case 'refused':
        return new Problem('refused', { message });
    }
  }
}

/** Refused before anything was done: the same request may be sent again in a second. */
export const makeUnavailable = (): Problem =>
  new Problem('unavailable', { seconds: '1' }, { 'Retry-After': '1' });

/** Fills the braces of a text: `Scope {scope}` with `{scope: 'write'}` is `Scope write`. */
export const fillTemplate = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (braces, word: string) =>
    Object.hasOwn(values, word) ? (values[word] ?? braces) : braces,
  );

/**
 * What a secret looks like, and what stands there instead. Some headers are secret to the end of their line, and a value
 * whose quotes are never closed is secret to the end of the text. Untrusted text ends up here, so every pattern must run
 * in linear time: names are matched from their beginning only.
 */
const secretPatterns: [RegExp, string][] = [
  [/uvt_[0-9a-f]{8,}/gi, 'uvt_…'],
  [/\beyJ[\w-]{8,}(?:\.[\w-]*)*/g, '…'],
  [/\b((?:(?:set-)?cookie|(?:proxy-)?authorization)\s*[:=]\s*)\S.*/gi, '$1…'],
  [/\b(bearer|basic|accesstoken=)\s*[^\s,;"']+/gi, '$1 …'],
  [/\/\/[^\s/]*@/g, '//…@'],
  [
    /(?<![\w-])((?=[\w-]*(?:api[-_]?key|csrf|authorization|pass|pwd|secret|token|session|unifises))[\w-]+[\\"']*\s*[:=]\s*)(?:"(?:[^"\\]|\\[^])*(?:"|\\?$)|\\"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s,;&}]+)/gi,
    '$1…',
  ],
];

/** Longer than what anybody has to say; what is cut off is never looked at. */
const maxPublicTextLength = 4096;

/** Cut at white space: a pattern might not recognise half a secret. */
const shorten = (text: string): string => {
  if (text.length <= maxPublicTextLength) return text;
  const words = /^[^]*\s/.exec(text.slice(0, maxPublicTextLength))?.[0] ?? '';
  return `${words}…`;
};

/**
 * The text of an exception as a client may read it, without anything that looks like a credential, a cookie, a token
 * or a URL with user information. Errors of a database come without their statement: see `hideStatements`.
 */
export const publicText = (error: unknown): string => {
  const message = isNativeError(error) ? error.message : String(error);
  return secretPatterns.reduce(
    (text, [pattern, instead]) => text.replace(pattern, instead),
    shorten(message),
  );
};

/** Why the database can't be used: it does not answer, or it answers and can't be written, like a standby. */
export type UnavailableKind = 'unreachable' | 'read-only';

/**
 * The database can't be reached, does not answer in time, or can't be written. No request is to blame, and none can help
 * it. The message is for the log and may name host and port; clients are told no more than the kind.
 */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable';

  constructor(
    message: string,
    options: ErrorOptions = {},
    readonly kind: UnavailableKind = 'unreachable',
  ) {
    super(message, options);
  }
}

/** A statement took longer than it may, or waited too long for others. The database answers all the same. */
export class DatabaseTimeout extends DatabaseUnavailable {
  override readonly name = 'DatabaseTimeout';
}

/** The code of an error of the operating system or of a database driver; empty when it has none. */
export const errorCode = (error: unknown): string =>
  types.isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : '';
