/**
 * Who can do something about an error, which decides how it is answered: the status of a refusal over HTTP,
 * the exit status of a command.
 */
export type ErrorKind =
  /** What was given is not allowed: input, an option, a setting, a file. */
  | 'invalid'
  /** There is no such thing. */
  | 'missing'
  /** The state of the service does not allow it. */
  | 'refused'
  /** Too much at once: the same may succeed in a moment. */
  | 'busy'
  /** The database or another server can't be reached or used. */
  | 'unavailable'
  /** A command has done its work, and the result is not a success. */
  | 'failed';

interface CodedErrorOptions extends ErrorOptions {
  readonly kind?: ErrorKind;
}

/**
 * The base of all errors that are thrown deliberately. Callers tell cases apart by the class and by `code`,
 * never by a text. `message` is the internal text, in English: the log has it, and the operator reads it on
 * the command line. It never holds a secret. Texts for others are worded by code and values where they are
 * shown.
 */
export abstract class CodedError<Code extends string = string> extends Error {
  readonly kind: ErrorKind;
  /** Does its stack trace help whoever reads the log? */
  readonly isTraced: boolean = true;

  constructor(
    readonly code: Code,
    message: string,
    { kind = 'refused', ...options }: CodedErrorOptions = {},
  ) {
    super(message, options);
    this.kind = kind;
  }
}
