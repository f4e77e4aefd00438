import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Io } from '../../src/cli/io.js';
import type { Database } from '../../src/database/database.js';
import { makeTables, type Tables } from '../../src/app/tables.js';
import { run, type Ended } from './cli.js';
import { openPatiently, putSqliteDatabase } from './databases.js';
import { makeFolder } from './folder.js';

/** Commands on a database of their own, and everything that they printed. */
export interface CliFixture {
  readonly dataDir: string;
  readonly env: Record<string, string>;
  readonly database: Database;
  readonly tables: Tables;
  voucherd(...argv: string[]): Promise<Ended>;
  /** Runs a command with something at standard input. */
  typing(input: NonNullable<Io['input']>, ...argv: string[]): Promise<Ended>;
  /** Adds a webhook with its address in a variable. */
  add(name: string, format: string, address: string, ...options: string[]): Promise<Ended>;
  /** Puts a text in a file and returns its name. */
  file(text: string): Promise<string>;
  /** Which of these texts were printed, or stand in a file of the database. */
  leaked(planted: readonly string[]): Promise<string[]>;
  remove(): Promise<void>;
}

export const makeCliFixture = async (settings: Record<string, string> = {}): Promise<CliFixture> => {
  const [folder, given] = [await makeFolder(), await makeFolder()];
  // A busy machine is neither a database nor a controller that does not answer.
  const patient = { DATABASE_TIMEOUT_S: '120', CONTROLLER_DEADLINE_S: '600' };
  const env = { DATA_DIR: folder.path, ...patient, ...settings };
  let printed = '';
  const ran = async (
    argv: readonly string[],
    values: Record<string, string> = {},
    input?: Io['input'],
  ): Promise<Ended> => {
    const ended = await run(argv, { ...env, ...values }, undefined, input);
    printed += ended.out + ended.err;
    return ended;
  };
  if (settings['DATABASE_URL'] === undefined) await putSqliteDatabase(folder.path);
  const database = openPatiently(
    settings['DATABASE_URL'] ?? `sqlite:${join(folder.path, 'voucherd.sqlite')}`,
  );
  let files = 0;
  return {
    dataDir: folder.path,
    env,
    database,
    tables: makeTables(database),
    voucherd: (...argv) => ran(argv),
    typing: (input, ...argv) => ran(argv, {}, input),
    add: (name, format, address, ...options) =>
      ran(['webhook', 'add', '--name', name, '--format', format, '--url-env', 'ADDRESS', ...options], {
        ADDRESS: address,
      }),
    file: async (text) => {
      const name = join(given.path, String(files++));
      await writeFile(name, text);
      return name;
    },
    leaked: async (planted) => {
      const names = await readdir(folder.path);
      const kept = await Promise.all(names.map((name) => readFile(join(folder.path, name), 'latin1')));
      return planted.filter((text) => printed.includes(text) || kept.some((bytes) => bytes.includes(text)));
    },
    remove: async () => {
      await database.close();
      await folder.remove();
      await given.remove();
    },
  };
};
