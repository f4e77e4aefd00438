import type { components } from '../../generated/openapi.js';
import type { components as webComponents } from '../../generated/web.js';
import { CodedError, type ErrorKind } from './codedError.js';
import { HttpProblem, makeUnavailable, type TextValues } from './httpProblem.js';

/** The contracts list the codes, and give each its status and its text. */
type ProblemCode = components['schemas']['Error']['error'] | webComponents['schemas']['Error']['error'];

/** What a client of ours is refused with. */
export class Problem extends HttpProblem<ProblemCode> {
  override readonly name = 'Problem';
}

/** How a refusal is answered over HTTP. */
type RefusalKind = Extract<ErrorKind, 'refused' | 'missing' | 'invalid' | 'busy'>;

/**
 * Something that can't be done, and nothing has changed. The command line prints its English text;
 * the web UI has a text of its own for each code.
 */
export class Refusal<Code extends string = string> extends CodedError<Code> {
  override readonly name: string = 'Refusal';
  declare readonly kind: RefusalKind;

  constructor(
    code: Code,
    message: string,
    kind: RefusalKind = 'refused',
    /** What the text of the web UI is filled with. */
    readonly values?: TextValues,
  ) {
    super(code, message, { kind });
  }

  toProblem(): HttpProblem<ProblemCode> {
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
