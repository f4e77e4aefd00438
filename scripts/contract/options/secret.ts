import { readFileSync } from 'node:fs';
import { UsageError } from './usageError.js';

/** A key that neither JSON nor an error message shows by accident. */
export type Secret = () => string;

/** The three ways to hand in a key: `--key`, `--key-env`, `--key-file`. */
export interface SecretSources {
  readonly value: string | undefined;
  readonly variable: string | undefined;
  readonly file: string | undefined;
}

/** Reads a key; `option` is its name without dashes. Throws `UsageError`, which never holds the key. */
export const readKeySource = (
  option: string,
  { value, variable, file }: SecretSources,
  env: Readonly<Record<string, string | undefined>>,
): Secret | undefined => {
  const given = [value, variable, file].filter((source) => source !== undefined);
  if (given.length === 0) return undefined;
  if (given.length > 1) {
    throw new UsageError(`--${option}, --${option}-env and --${option}-file: one of them is enough`);
  }
  if (variable !== undefined) {
    const text = env[variable];
    if (text === undefined) throw new UsageError(`--${option}-env: the variable ${variable} is not set`);
    return keyIn(`--${option}-env: the variable ${variable}`, text);
  }
  if (file !== undefined) return keyIn(`--${option}-file: ${file}`, fileText(option, file));
  return keyIn(`--${option}`, value ?? '');
};

const keyIn = (source: string, text: string): Secret => {
  const key = text.trim();
  // A shorter text could not be taken out of the reports without taking words apart.
  if (!/^[\x21-\x7e]{8,}$/.test(key)) throw new UsageError(`${source} holds no key`);
  return () => key;
};

const fileText = (option: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`--${option}-file: ${file} cannot be read`);
  }
};
