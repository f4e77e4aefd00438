import type { components } from '../../generated/openapi.js';
import type { components as webComponents } from '../../generated/web.js';

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
