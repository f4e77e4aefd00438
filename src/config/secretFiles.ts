import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { ConfigError, refuseSetting } from './configError.js';
import { settingGroups } from './settings.js';

/**
 * The variables that hold a secret. Each can be given as a file, too,
 * named by the same variable with `_FILE`.
 */
export const secretSettings: readonly string[] = settingGroups.flatMap(({ settings }) =>
  Object.entries(settings).flatMap(([name, { isSecret }]) => (isSecret ? [name] : [])),
);

type Environment = Readonly<Record<string, string | undefined>>;

/** The files with secrets that the environment names, also that with the key of the certificate. */
export const listSecretFiles = (env: Environment): string[] =>
  [...secretSettings.map((variable) => `${variable}_FILE`), 'TLS_KEY_FILE'].flatMap(
    (name) => env[name] || [],
  );

/** No secret of ours comes near this. */
const maxSecretBytes = 65_536;

/**
 * Reads settings from an environment in which each secret
 * that is in a file has its value. Throws `ConfigError`.
 */
export const withSecretFiles = <T>(env: Environment, read: (env: Environment) => T): T => {
  const files = new Map<string, string>();
  const values: Record<string, string> = {};
  for (const variable of secretSettings) {
    const file = env[`${variable}_FILE`];
    if (!file) continue;
    if (env[variable])
      refuseSetting(`${variable}_FILE`, toShownPath(file), `set only one of it and ${variable}`);
    files.set(variable, file);
    values[variable] = readSecretFile(`${variable}_FILE`, file);
  }
  try {
    return read(files.size === 0 ? env : { ...env, ...values });
  } catch (error) {
    const { variable, allowed } = (error instanceof ConfigError ? error.setting : undefined) ?? {};
    const file = variable === undefined ? undefined : files.get(variable);
    // The reader of the message has set the file, not the variable.
    if (file === undefined) throw error;
    throw new ConfigError('value', `${variable}_FILE: the content of "${file}" is not allowed: ${allowed}`);
  }
};

/** The one line of a file. Editors and `echo` end it with a line break, which is not part of the secret. */
const readSecretFile = (name: string, file: string): string => {
  const bytes = readLimited(name, file);
  if (bytes.length > maxSecretBytes)
    return refuseSetting(name, file, `a file of at most ${String(maxSecretBytes)} bytes`);
  const text = decode(bytes)?.replace(/\r?\n$/, '');
  if (text === undefined || /[\r\n\0]/.test(text))
    return refuseSetting(name, file, 'a file with one line of text in UTF-8');
  return text === '' ? refuseSetting(name, file, 'a file that is not empty') : text;
};

/** Reads a byte more than is allowed at most. A pipe or a device could keep the start waiting forever. */
const readLimited = (name: string, file: string): Buffer => {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if (fstatSync(handle).isFile()) {
      const bytes = Buffer.alloc(maxSecretBytes + 1);
      return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, 0));
    }
  } catch {
    // Refused below.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
  return refuseSetting(name, toShownPath(file), 'a file that can be read');
};

/** What names no file may be the secret itself, given in the wrong variable. */
const toShownPath = (file: string): string => (existsSync(file) ? file : '…');

const decode = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};
