import { pino } from 'pino';
import { nodeSystem } from '../../src/lib/system.js';
import type { Actor } from '../../src/audit/audit.js';
import { makeAuth, type Auth } from '../../src/auth/auth.js';
import type { UserInput } from '../../src/users/users.js';
import type { Database } from '../../src/database/database.js';
import { makeTables, type Tables } from '../../src/app/tables.js';
import { holdDatabaseClock, type TestDatabaseClock } from './databaseClock.js';
import { makePostgresDatabase, makeSqliteDatabase, openPatiently, type MakeDatabase } from './databases.js';
import { makeFolder } from './folder.js';
import { someTime } from './records.js';

/** The databases that each test of people runs on. */
export const peopleDatabases: [string, MakeDatabase][] = [
  ['SQLite', makeSqliteDatabase],
  ['PostgreSQL', makePostgresDatabase],
];

/** What one process has of a database. */
export interface AuthProcess extends Auth {
  readonly database: Database;
  readonly tables: Tables;
}

export interface AuthFixture extends AuthProcess {
  readonly clock: TestDatabaseClock;
  /** The folder of the key. */
  readonly dataDir: string;
  /** Opens the database as another process does. */
  open(): AuthProcess;
  remove(): Promise<void>;
}

/** Everything about people on a database of its own, at a time that stands still. */
export const makeAuthFixture = async (make: MakeDatabase): Promise<AuthFixture> => {
  const [own, folder] = [await make(), await makeFolder()];
  const clock = await holdDatabaseClock(own.url, someTime);
  const opened: Database[] = [];
  const open = (): AuthProcess => {
    const database = openPatiently(own.url);
    opened.push(database);
    const system = { ...nodeSystem, now: clock.now };
    const tables = makeTables(database, system);
    const keySource = { secretKey: undefined, dataDir: folder.path };
    const log = pino({ level: 'silent' });
    return { ...makeAuth({ database, tables, system, log, keySource, passwordCost }), database, tables };
  };
  return {
    ...open(),
    clock,
    dataDir: folder.path,
    open,
    remove: async () => {
      for (const database of opened) await database.close();
      await own.drop();
      await folder.remove();
    },
  };
};

export const someActor: Actor = { kind: 'user', name: 'Chefin', address: '192.0.2.1' };

/** Thousands of times less than in production: what is tested is how often passwords are hashed. */
export const passwordCost = { ln: 4, r: 8, p: 1 };

export const goodPassword = 'Lampe Fluss Zwiebel 7';

/** A user without a password, because hashing one takes its time. */
export const someUser = (values: Partial<UserInput> = {}): UserInput => ({
  name: `user ${nodeSystem.randomBytes(6).toString('hex')}`,
  role: 'staff',
  password: null,
  ...values,
});

/** Where somebody signs in. */
export const someClient = (address = '198.51.100.7') => ({ address, browser: 'Mozilla/5.0' });

/** Texts that no field accepts. */
export const hostileTexts: [string, string][] = [
  ['64 KiB', 'x'.repeat(65_536)],
  ['a control character', 'An\u001B[2Jna'],
  ['NUL', 'An\0na'],
  ['a lone surrogate', 'An\uD800na'],
  ['a line break', 'An\nna'],
  ['a character that turns the direction', 'An\u202Ena'],
  ['nothing but an invisible character', '\u200B'],
  ['nothing', ''],
  ['nothing but spaces', '   '],
];

/** All rows of these tables, to see that nothing has changed. */
export const rowsOf = async ({ read }: Database): Promise<unknown> =>
  Promise.all(
    ['users', 'user_sites', 'sessions', 'recovery_codes', 'audit_log'].map((table) => read(table).select()),
  );
