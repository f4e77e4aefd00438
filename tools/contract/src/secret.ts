import { readFileSync } from 'node:fs';

/** A command line that can't be understood; the message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Help was asked for; the message is the help. */
export class HelpRequested extends Error {
  override readonly name = 'HelpRequested';
}

/** A key that neither JSON nor an error message shows by accident. */
export interface Secret {
  (): string;
  /** The environment variable that stands for it in commands: the one that it came from, where a shell can name it. */
  readonly variable: string;
}

/** Reads a key; `option` is its name without dashes. Throws `UsageError`, which never holds the key. */
export const readSecret = (
  option: string,
  [value, variable, file]: readonly (string | undefined)[],
  env: Readonly<Record<string, string | undefined>>,
): Secret | undefined => {
  const given = [value, variable, file].filter((source) => source !== undefined);
  if (given.length === 0) return undefined;
  if (given.length > 1) {
    throw new UsageError(`--${option}, --${option}-env and --${option}-file: one of them is enough`);
  }
  const usual = option.toUpperCase().replaceAll('-', '_');
  if (variable !== undefined) {
    const text = env[variable];
    if (text === undefined) throw new UsageError(`--${option}-env: the variable ${variable} is not set`);
    const name = /^[a-z_]\w*$/i.test(variable) ? variable : usual;
    return keyIn(`--${option}-env: the variable ${variable}`, text, name);
  }
  if (file !== undefined) return keyIn(`--${option}-file: ${file}`, fileText(option, file), usual);
  return keyIn(`--${option}`, value ?? '', usual);
};

const keyIn = (source: string, text: string, variable: string): Secret => {
  const key = text.trim();
  // A shorter text could not be taken out of the reports without taking words apart.
  if (!/^\P{Cc}{8,}$/u.test(key))
    throw new UsageError(`${source} holds no key: one has at least 8 characters, in one line`);
  return Object.assign(() => key, { variable });
};

const fileText = (option: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`--${option}-file: ${file} cannot be read`);
  }
};
