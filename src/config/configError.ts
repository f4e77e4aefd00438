import { CodedError } from '../errors/codedError.js';

/** `value`: the value of a variable is not allowed. The others say why the service can't listen. */
type ConfigErrorCode = 'value' | 'address-in-use' | 'address-forbidden' | 'address-unknown' | 'socket-path';

/** A setting that can't be used; the message names the variable, the value and what is allowed. */
export class ConfigError extends CodedError<ConfigErrorCode> {
  override readonly name = 'ConfigError';

  constructor(
    code: ConfigErrorCode,
    message: string,
    /** The variable, and what it may be, where one is to blame. */
    readonly setting?: { readonly variable: string; readonly allowed: string },
  ) {
    super(code, message, { kind: 'invalid' });
  }
}

/** Refuses the value of a variable. A value that may be a secret is given as `…`. */
export const refuseSetting = (variable: string, value: string, allowed: string): never => {
  throw new ConfigError('value', `${variable}: "${value}" is not allowed: ${allowed}`, { variable, allowed });
};
