import { CodedError, type ErrorKind } from '../errors/codedError.js';

/** Why a configuration was not exported or imported. Nothing has changed. */
export class ConfigurationError extends CodedError<ConfigurationErrorCode> {
  override readonly name = 'ConfigurationError';

  constructor(code: ConfigurationErrorCode, message: string) {
    super(code, message, { kind: configurationErrorKinds[code] });
  }
}

type ConfigurationErrorCode = keyof typeof configurationErrorKinds;

export const configurationErrorKinds = {
  /** The file can't be used; the message names the line. */
  'file-invalid': 'invalid',
  /** What is in the file means something else here. */
  conflict: 'refused',
  /** A stored secret does not open. */
  'secret-key-wrong': 'refused',
} as const satisfies Readonly<Record<string, ErrorKind>>;
