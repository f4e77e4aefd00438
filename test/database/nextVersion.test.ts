import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/database.js';
import { migrations } from '../../src/database/migrations/index.js';
import { runMigrations } from '../../src/database/migrator.js';
import { expectOneLine, run, startProgram, type Program } from '../support/cli.js';
import { makePostgresDatabase, type TestDatabase } from '../support/databases.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { makeNextMigration } from '../support/nextMigration.js';
import { plantSecrets } from '../support/secretLeaks.js';
import { send } from '../support/service.js';
import { until } from '../support/until.js';

// A process of this version, as built, while a process of the next one migrates their PostgreSQL.

let own: TestDatabase;
let folder: TestFolder;
let service: Program | undefined;
let env: Record<string, string>;
beforeAll(async () => {
  [own, folder] = [await makePostgresDatabase(), await makeFolder()];
  // A busy machine may take longer for the migration than orders usually wait.
  const patient = { DATABASE_TIMEOUT_S: '120', CONTROLLER_DEADLINE_S: '600' };
  env = { DATABASE_URL: own.url, DATA_DIR: folder.path, PORT: '0', ...patient };
});
afterAll(async () => {
  service?.process.kill('SIGKILL');
  await service?.ended;
  await own.drop();
  await folder.remove();
});

const printed = async (...argv: string[]): Promise<string> => {
  const { status, out, err } = await run(argv, env);
  expect({ status, err }).toEqual({ status: 0, err: expect.not.stringMatching(/^voucherd: /) });
  return out.trim();
};

test('a process goes on while the next version migrates, takes orders meanwhile, and can not be started again', async () => {
  await printed('controller', 'add', '--name', 'Zentrale', '--kind', 'simulated');
  const siteId = Number(await printed('site', 'add', '--name', 'Haus', '--controller', 'Zentrale'));
  const key = await printed('key', 'create', '--name', 'Kasse', '--scope', 'write', '--rate-limit', '0');
  plantSecrets([key]);
  service = startProgram(['serve', '--json'], env);
  const url = await service.url();
  const order = async (name: string): Promise<number> =>
    (await send(url, 'POST', '/vouchers.php', { key, body: { site_id: siteId, name } })).status;
  const countListed = async (): Promise<number> => {
    const { body } = await send(url, 'GET', `/vouchers.php?site_id=${String(siteId)}`, { key });
    return (body as { vouchers: unknown[] }).vouchers.length;
  };
  expect(await order('vorher')).toBe(201);

  const database = openDatabase(own.url, { timeoutMs: 120_000 });
  const next = makeNextMigration(database.dialect);
  const migrating = runMigrations(database, [...migrations, next]);
  let orders = 1;
  const statuses = new Set<number>();
  // A migration of all tables at once waits for a moment without requests, so they end some time.
  while (orders < 20) {
    statuses.add(await order(`währenddessen ${String(orders)}`));
    orders += 1;
  }
  expect(await migrating).toEqual(['9999_next']);
  expect([...statuses]).toEqual([201]);

  for (const name of ['danach', 'und noch eines']) expect(await order(name)).toBe(201);
  expect(await countListed()).toBe(orders + 2);
  // It gives the database a second, which may be too little for a busy machine.
  await until('it is ready', async () => (await send(url, 'GET', '/readyz')).text === '{"status":"ready"}');
  // What the next version writes is listed here, and what is written here has the defaults of the next version.
  await database.write('vouchers').where({ site_id: siteId }).update({ next_text: 'neu' });
  expect(await database.read('vouchers').where({ next_flag: true }).select('id')).toEqual([]);
  await database.close();
  expect(await countListed()).toBe(orders + 2);

  const refused = /the database is newer than this program \(it has "9999_next"\)/;
  expectOneLine(await run(['key', 'list'], env), refused);
  const second = await startProgram(['serve'], env).ended;
  expect(second).toMatchObject({ status: 5, err: expect.stringMatching(refused) });
  service.process.kill('SIGTERM');
  expect(await service.ended).toMatchObject({ status: 0 });
});
