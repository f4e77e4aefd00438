import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generateApiKey } from '../../src/apiKeys/apiKeys.js';
import { nodeSystem } from '../../src/lib/system.js';
import { openDatabase, type Database } from '../../src/database/database.js';
import { makeExpectDocumented } from '../support/documentedAnswers.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { startService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { expectSettled, expectWholeFiles, readDataSnapshot } from './dataSnapshot.js';

let folder: TestFolder;
let service: TestService;
let other: Database;
let key: string;
const expectDocumented = makeExpectDocumented();

beforeAll(async () => {
  folder = await makeFolder();
  service = await startService({ dataDir: folder.path });
  other = openDatabase(`sqlite:${join(service.dataDir, 'voucherd.sqlite')}`);
  key = await service.addKey();
  await service.addSite();
  await service.get('/sites.php', { key });
});
afterAll(async () => {
  await other.close();
  await service.stop();
  await folder.remove();
});

/** Takes a table away through another connection, as a restore or a wrong hand might, and puts it back. */
const without = async (table: string, body: () => Promise<void>): Promise<void> => {
  await other.write.schema.renameTable(table, 'away');
  try {
    await body();
  } finally {
    await other.write.schema.renameTable('away', table);
  }
};

test('a list that can not be read is 500 with the text of the exception, and 200 again afterwards', async () => {
  await without('vouchers', async () => {
    const answer = await service.get('/vouchers.php?site_id=77', { key });
    expectDocumented('listVouchers', answer);
    expect(answer).toMatchObject({
      status: 500,
      body: { error: 'server_error', message: 'SQLITE_ERROR: no such table: vouchers' },
    });
  });
  expect(await service.get('/vouchers.php?site_id=77', { key })).toMatchObject({
    status: 200,
    body: { vouchers: [] },
  });
});

test('no operation can be carried out without the revisions, and each says so as documented', async () => {
  await without('revisions', async () => {
    const answers = {
      listSites: await service.get('/sites.php', { key }),
      listVouchers: await service.get('/vouchers.php?site_id=1', { key }),
      createVoucher: await service.post('/vouchers.php', { site_id: 1, name: 'x' }, { key }),
    };
    for (const [operation, answer] of Object.entries(answers)) {
      expectDocumented(operation, answer);
      expect(answer.status).toBe(500);
    }
    // Whether a key that nobody has seen yet is valid can't be told now; it is not called invalid.
    const unknown = await service.get('/sites.php', { key: generateApiKey(nodeSystem).key });
    expectDocumented('listSites', unknown);
    expect(unknown.status).toBe(500);
  });
  expect((await service.get('/sites.php', { key })).status).toBe(200);
  expect((await service.post('/vouchers.php', { site_id: 1, name: 'x' }, { key })).status).toBe(201);
});

test('a voucher that can not be recorded is 500, stays open, and is recorded when it can be', async () => {
  await without('notifications', async () => {
    const answer = await service.post('/vouchers.php', { site_id: 1, name: 'ohne Meldung' }, { key });
    expectDocumented('createVoucher', answer);
    expect(answer.status).toBe(500);
  });
  const { intents } = await readDataSnapshot(service.dataDir);
  expect(intents.map(({ name }) => name.split('_')[1])).toEqual(['ohne Meldung']);
});

test('/readyz is 503 while the database is unusable, and 200 when it is usable again', async () => {
  // It gives the database a second, which may be too little for a busy machine.
  const answerWith = (text: string): Promise<number> =>
    until(`/readyz says ${text}`, async () => {
      const answer = await service.get('/readyz');
      return answer.text.includes(text) && answer.status;
    });
  expect(await answerWith('ready')).toBe(200);
  await without('migrations', async () => {
    expect(await answerWith('migrations')).toBe(503);
    expect((await service.get('/healthz')).status).toBe(200);
  });
  expect(await answerWith('ready')).toBe(200);
});

test('after a restart everything is settled and the files are whole', async () => {
  await service.stop();
  service = await startService({ dataDir: folder.path, system: { now: () => Date.now() + 3_600_000 } });
  expect(await service.app.reconcile()).toBe(0);
  expectSettled(await readDataSnapshot(folder.path));
  await expectWholeFiles(folder.path);
});
