import { createCipheriv, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import sqlite3 from 'sqlite3';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { splitIntoWords } from '../../src/vouchers/searchWords.js';
import {
  makePostgresDatabase,
  makeSqliteDatabase,
  type MakeDatabase,
  type TestDatabase,
} from '../support/databases.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { plantSecrets } from '../support/secretLeaks.js';
import { startService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

let own: TestDatabase;
let folder: TestFolder;
let service: TestService;

const begin = async (makeDatabase: MakeDatabase, env: Record<string, string> = {}): Promise<void> => {
  [own, folder] = [await makeDatabase(), await makeFolder()];
  service = await startService({ dataDir: folder.path, env: { DATABASE_URL: own.url, ...env } });
};
afterEach(async () => {
  await service.stop();
  await folder.remove();
  await own.drop();
});

/** A session of an earlier version. */
interface Session {
  ask(sql: string, bindings: unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

const openSession = async (url: string): Promise<Session> => {
  if (url.startsWith('sqlite:')) {
    const database = new sqlite3.Database(url.slice('sqlite:'.length));
    database.configure('busyTimeout', 60_000);
    return {
      ask: (sql, bindings) =>
        new Promise((resolve, reject) => {
          database.all(sql, bindings, (error, rows) => (error ? reject(error) : resolve(rows)));
        }),
      close: () => new Promise((resolve) => database.close(() => resolve())),
    };
  }
  const client = new pg.Client(url);
  await client.connect();
  return { ask: (sql, bindings) => client.query(sql, bindings), close: () => client.end() };
};

type Transactions = readonly (readonly [sql: string, bindings: unknown[]][])[];

/** What a version asked while it took two orders, with the number of its last migration. `record.mjs` recorded it. */
const readRecording = async (version: string, dialect: string): Promise<Transactions> => {
  const file = join(import.meta.dirname, 'earlierVersions', `${version}.${dialect}.json`);
  return JSON.parse(await readFile(file, 'utf8')) as Transactions;
};

// It knows nothing of the search of vouchers, so the database itself has to find the words of their names.
describe.each([
  ['0008', 'sqlite', makeSqliteDatabase],
  ['0008', 'postgres', makePostgresDatabase],
])('a process of the version %s (%s)', (version, dialect, makeDatabase) => {
  test('goes on beside a new one; both list, and find, what either has recorded', async () => {
    await begin(makeDatabase);
    const session = await openSession(own.url);
    let key: string | undefined;
    let orders = 0;
    try {
      for (const transaction of await readRecording(version, dialect)) {
        for (const [sql, bindings] of transaction) await session.ask(sql, bindings);
        // As soon as the earlier process has made its key, controller and site, which are the first ones.
        const hasSite = (await service.tables.sites.all()).length > 0;
        if (hasSite) key ??= await service.addKey();
        if (!key || orders >= 10) continue;
        const body = { site_id: 1, name: `neu ${(orders += 1)}` };
        expect((await service.post('/vouchers.php', body, { key })).status).toBe(201);
      }
    } finally {
      await session.close();
    }
    const { body } = await service.get('/vouchers.php?site_id=1', { key: key! });
    const names = (body as { vouchers: { voucher_name: string }[] }).vouchers.map((one) => one.voucher_name);
    expect(names).toHaveLength(12);
    expect(names.join('\n')).toMatch(/_Familie Müller 7/);
    const { voucherFinder } = service.tables;
    const find = async (text: string): Promise<string[]> => {
      const page = { now: service.app.now(), limit: 50 };
      const { vouchers } = await voucherFinder.find({ words: splitIntoWords(text) }, page);
      return vouchers.map(({ name }) => name);
    };
    for (const text of ['müller', 'olcer zim', 'neu 10'])
      await until(`"${text}" is found`, async () => (await find(text)).length > 0);
    expect(await service.database.read('vouchers').whereNull('words').select('id')).toEqual([]);
    expect(await find('familie')).toEqual([expect.stringMatching(/_Familie Müller 7$/)]);
  });
});

describe('secrets that a version before the binding has sealed', () => {
  const secretKey = randomBytes(32);
  const apiKey = randomBytes(16).toString('hex');
  plantSecrets([apiKey, secretKey.toString('hex')]);
  let unifi: UnifiConsole;
  beforeEach(async () => {
    unifi = await startUnifiConsole({ apiKey });
  });
  afterEach(() => unifi.stop());

  /** As that version did. */
  const sealUnbound = (text: string): string => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', secretKey, iv);
    const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
    return `v1:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')}`;
  };

  test('stay readable for it while it runs, are used by the new one, and are bound when it has ended', async () => {
    const env = { SECRET_KEY: secretKey.toString('hex') };
    [own, folder] = [await makePostgresDatabase(), await makeFolder()];
    const start = () => startService({ dataDir: folder.path, env: { DATABASE_URL: own.url, ...env } });
    service = await start();
    const { tables } = service.app;
    const controllerId = await tables.controllers.add(
      {
        name: 'Konsole',
        kind: 'unifi',
        settings: { url: unifi.url, fingerprint: unifi.fingerprint },
        sealedCredentials: sealUnbound(JSON.stringify({ apiKey })),
      },
      0,
    );
    const siteId = await tables.sites.add(
      { name: 'Haus', active: true, controllerId, controllerSite: null },
      0,
    );
    await service.stop();
    // The mark of the first start, which had nothing to bind.
    await folder.remove();
    folder = await makeFolder();

    const session = await openSession(own.url);
    service = await start();
    const stored = async (): Promise<string | null | undefined> =>
      (await service.tables.controllers.all())[0]?.sealedCredentials;
    const key = await service.addKey();
    const order = () => service.post('/vouchers.php', { site_id: siteId, name: 'Berger' }, { key });
    try {
      expect(await order()).toMatchObject({ status: 201 });
      expect(await stored()).toMatch(/^v1:/);
    } finally {
      await session.close();
    }
    await service.stop();
    service = await start();
    // At the start, or at the next look when the server has not ended the session by then.
    await until('they are bound', async () => /^v2:/.test((await stored()) ?? ''));
    expect(await order()).toMatchObject({ status: 201 });
  });
});

test('a process that runs stays ready when a newer one has migrated the database', async () => {
  await begin(makePostgresDatabase);
  await service.database.write('migrations').insert({ name: '9999_newer', done_at: 0 });
  // It gives the database a second, which may be too little for a busy machine; it never says that of a newer one.
  const answer = await until('it has looked', async () => {
    const { text } = await service.get('/readyz');
    return !text.includes('no answer within') && text;
  });
  expect(answer).toBe('{"status":"ready"}');
});
