import type { components } from '../../generated/openapi.js';
import type { components as webComponents } from '../../generated/web.js';
import { CodedError, type ErrorKind } from './codedError.js';

/** The contracts list the codes, and give each its status and its text. */
type ProblemCode = components['schemas']['Error']['error'] | webComponents['schemas']['Error']['error'];

/** Numbers that a text names, such as a limit. */
type RefusalValues = Readonly<Record<string, number>>;

/** What a client is refused with. `values` fill the braces in the contract's text; `headers` go with the response. */
export class Problem extends CodedError<ProblemCode> {
  override readonly name = 'Problem';

  constructor(
    code: ProblemCode,
    readonly values: Readonly<Record<string, string>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
    /** What went wrong, for the log. */
    cause?: unknown,
    /** What the web UI fills its text with. */
    readonly textValues?: RefusalValues,
  ) {
    super(code, values['message'] ?? code, {
      kind: problemKinds[code] ?? 'refused',
      ...(cause !== undefined && { cause }),
    });
  }
}

const problemKinds: Readonly<Partial<Record<ProblemCode, ErrorKind>>> = {
  invalid_request: 'invalid',
  not_found: 'missing',
  unavailable: 'busy',
};

/** How a refusal is answered over HTTP. */
type RefusalKind = Extract<ErrorKind, 'refused' | 'missing' | 'invalid' | 'busy'>;

/**
 * Something that can't be done, and nothing has changed. The command line prints its English text; the web UI has a
 * text of its own for each code.
 */
export class Refusal<Code extends string = string> extends CodedError<Code> {
  override readonly name: string = 'Refusal';
  declare readonly kind: RefusalKind;

  constructor(
    code: Code,
    message: string,
    kind: RefusalKind = 'refused',
    /** What the text of the web UI is filled with. */
    readonly values?: RefusalValues,
  ) {
    super(code, message, { kind });
  }

  toProblem(): Problem {
    const message = this.code;
    switch (this.kind) {
      case 'missing':
        return new Problem('not_found', { message });
      case 'invalid':
        return new Problem('invalid_request', { message });
      case 'busy':
        return makeUnavailable();
      case 'refused':
        return new Problem('refused', { message }, {}, undefined, this.values);
    }
  }
}

/** Refused before anything was done: the same request may be sent again in a second. */
export const makeUnavailable = (): Problem =>
  new Problem('unavailable', { seconds: '1' }, { 'Retry-After': '1' });
