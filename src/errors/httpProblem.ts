import { CodedError, type ErrorKind } from './codedError.js';

/** The codes of errors that every service has. A contract may have more. */
export type HttpProblemCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'server_error'
  | 'not_implemented'
  | 'unavailable';

/** Numbers that a text names, such as a limit. */
export type TextValues = Readonly<Record<string, number>>;

/**
 * What a client is refused with. `values` fill the braces in the contract's text; `headers` go with the
 * response.
 */
export class HttpProblem<Code extends string = HttpProblemCode> extends CodedError<Code> {
  override readonly name: string = 'HttpProblem';

  constructor(
    code: Code,
    readonly values: Readonly<Record<string, string>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
    /** What went wrong, for the log. */
    cause?: unknown,
    /** What a user interface fills its own text with. */
    readonly textValues?: TextValues,
  ) {
    super(code, values['message'] ?? code, {
      kind: problemKinds[code] ?? 'refused',
      ...(cause !== undefined && { cause }),
    });
  }
}

const problemKinds: Readonly<Partial<Record<string, ErrorKind>>> = {
  invalid_request: 'invalid',
  not_found: 'missing',
  unavailable: 'busy',
};

/** Is it the refusal of a request, whatever its code? */
export const isHttpProblem = (error: unknown): error is HttpProblem<string> => error instanceof HttpProblem;

/** Refused before anything was done: the same request may be sent again in a second. */
export const makeUnavailable = (cause?: unknown): HttpProblem<'unavailable'> =>
  new HttpProblem('unavailable', { seconds: '1' }, { 'Retry-After': '1' }, cause);
