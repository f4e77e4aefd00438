/** A value that is not allowed; the message names the variable, the value and what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(
    message: string,
    /** The variable, and what it may be, where one is to blame. */
    readonly setting?: { readonly variable: string; readonly allowed: string },
  ) {
    super(message);
  }
}

/** Refuses the value of a variable. A value that may be a secret is given as `…`. */
export const refuseSetting = (variable: string, value: string, allowed: string): never => {
  throw new ConfigError(`${variable}: "${value}" is not allowed: ${allowed}`, { variable, allowed });
};
