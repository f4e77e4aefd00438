import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { addAbortSignal, Writable } from 'node:stream';
import { fileUnreadable } from './givenFile.js';
import { CommandError, type Io } from './io.js';

/** Where a secret comes from. Never an argument: other users and the shell history would see it. */
export interface SecretOptions {
  /** The options' names, as in `--url-file` and `--url-env`. */
  readonly option: string;
  readonly file: string | undefined;
  readonly env: string | undefined;
  /** Where to find it, for the prompt. */
  readonly hint?: string | undefined;
  /** May it be empty, as the password of a database can be? */
  readonly mayBeEmpty?: boolean;
  /** Spaces at its ends belong to a password. Around a key or an address they are a slip of copying. */
  readonly isPassword?: boolean;
  /** Ends the wait for standard input. */
  readonly signal?: AbortSignal | undefined;
}

const maxSecretLength = 16_384;

/** Reads a secret from the file or the variable that the options name; undefined when they name none. */
export const readSecretOption = async (io: Io, options: SecretOptions): Promise<string | undefined> => {
  const { option, file, env, signal } = options;
  const [fileOption, envOption] = [`--${option}-file`, `--${option}-env`];
  // The names of the file and the variable are not repeated: the user may have given the secret itself.
  if (file !== undefined) {
    if (env !== undefined)
      throw new CommandError('options-conflict', `${fileOption} and ${envOption} exclude each other`);
    const text = await readSecretFile(io, fileOption, file, signal);
    return requireSecretText(`what ${fileOption} names`, text, options);
  }
  if (env === undefined) return undefined;
  const value = io.env[env];
  if (value === undefined)
    throw new CommandError('option-invalid', `${envOption} names a variable that is not set`);
  return requireSecretText(`what ${envOption} names`, value, options);
};

/** Reads a secret as the options say, or prompts for it on a terminal. */
export const readRequiredSecret = async (io: Io, what: string, options: SecretOptions): Promise<string> => {
  const given = await readSecretOption(io, options);
  if (given !== undefined) return given;
  if (io.input?.isTTY !== true) {
    const { option } = options;
    throw new CommandError(
      'option-missing',
      `${what} is missing: give --${option}-file FILE (- is standard input) or --${option}-env VAR`,
    );
  }
  return requireSecretText(what, await promptHidden(io, io.input, what, options), options);
};

const requireSecretText = (
  what: string,
  text: string,
  { mayBeEmpty = false, isPassword = false }: Pick<SecretOptions, 'mayBeEmpty' | 'isPassword'>,
): string => {
  // Editors and `echo` end a line, which is not part of the secret.
  const secret = isPassword ? text.replace(/\r?\n$/, '') : text.trim();
  if (secret === '' && !mayBeEmpty) throw new CommandError('option-invalid', `${what} is empty`);
  if (secret.length > maxSecretLength)
    throw new CommandError('option-invalid', `${what} is longer than a secret may be`);
  return secret;
};

const readSecretFile = async (
  io: Io,
  option: string,
  file: string,
  signal: AbortSignal | undefined,
): Promise<string> => {
  try {
    if (file !== '-') return await readFile(file, 'utf8');
    const chunks: Buffer[] = [];
    if (io.input && signal) addAbortSignal(signal, io.input);
    for await (const chunk of io.input ?? []) chunks.push(Buffer.from(chunk as Uint8Array | string));
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    throw fileUnreadable(`the file that ${option} names`, error);
  }
};

/** Reads one line without echo. */
const promptHidden = (
  io: Io,
  input: NonNullable<Io['input']>,
  what: string,
  { hint, signal }: Pick<SecretOptions, 'hint' | 'signal'>,
): Promise<string> => {
  io.err(`${what}${hint === undefined ? '' : `, ${hint}`} (it is not shown): `);
  const muted = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({
    input,
    output: muted,
    terminal: true,
    historySize: 0,
    ...(signal && { signal }),
  });
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    const end = (code: 'option-missing' | 'interrupted') => () => {
      reject(new CommandError(code, `${what} is missing: nothing was entered`));
      lines.close();
    };
    lines.once('SIGINT', end('interrupted'));
    // At the end of input there was no line; after one, or after Ctrl-C, the promise has settled already.
    lines.once('close', () => {
      io.err('\n');
      end('option-missing')();
    });
  });
};
