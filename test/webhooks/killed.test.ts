import { join } from 'node:path';
import { setTimeout as passing } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWebhookTarget, type WebhookTarget } from '../../simulators/webhookTarget.js';
import { generateApiKey } from '../../src/apiKeys/apiKeys.js';
import { nodeSystem } from '../../src/lib/system.js';
import { openDatabase, type Database } from '../../src/database/database.js';
import { makeTables, type Tables } from '../../src/app/tables.js';
import { expectSettled, expectWholeFiles, readDataSnapshot } from '../faults/dataSnapshot.js';
import { killProgram, stopProgram } from '../faults/program.js';
import { run, startProgram } from '../support/cli.js';
import { putSqliteDatabase } from '../support/databases.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { kills } from '../support/kills.js';
import { addSite, someKey } from '../support/records.js';
import { send } from '../support/service.js';
import { until } from '../support/until.js';

/** Two services side by side, each with a target of its own, so that it takes half the time. */
const lanes = 2;
const killsPerLane = Math.ceil(kills / 2);
const [clients, ordersPerClient] = [4, 6];

interface Lane {
  readonly folder: TestFolder;
  readonly database: Database;
  readonly tables: Tables;
  readonly target: WebhookTarget;
  readonly env: Record<string, string>;
  readonly key: string;
  readonly siteId: number;
}

const makeLane = async (): Promise<Lane> => {
  const folder = await makeFolder();
  await putSqliteDatabase(folder.path);
  const database = openDatabase(`sqlite:${join(folder.path, 'voucherd.sqlite')}`);
  const tables = makeTables(database);
  const { key, prefix, hash } = generateApiKey(nodeSystem);
  await tables.apiKeys.add(someKey({ prefix, hash, rateLimit: 0 }));
  const { siteId } = await addSite(tables);
  // It takes its time, so that most kills find a message in flight.
  const target = await startWebhookTarget({
    otherwise: { does: 'answer', status: 200, body: 'ok', afterMs: 10 },
  });
  const env = {
    DATA_DIR: folder.path,
    PORT: '0',
    LOG_LEVEL: 'silent',
    RECONCILE_INTERVAL_S: '1',
    RECONCILE_GRACE_S: '1',
    CONTROLLER_DEADLINE_S: '1',
    WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
  };
  const add = ['webhook', 'add', '--name', 'Ziel', '--format', 'generic', '--url-env', 'TARGET'];
  expect((await run(add, { ...env, TARGET: `${target.url}/hook` })).err).toBe('');
  return { folder, database, tables, target, env, key, siteId };
};

const all: Lane[] = [];
beforeAll(async () => {
  for (let count = 0; count < lanes; count++) all.push(await makeLane());
});
afterAll(async () => {
  for (const { folder, database, target } of all) {
    await target.stop();
    await database.close();
    await folder.remove();
  }
});

const serve = ({ env }: Lane) => startProgram(['serve', '--json'], env);

/** Ends what a killed process held, as its time would: waiting for it 50 times takes too long. */
const endLeases = async ({ database }: Lane, name: string): Promise<void> => {
  await database.write('leases').where('name', 'like', name).delete();
};

/** Several clients at once, each with one order after the other, until the program is gone. */
const load = async ({ key, siteId }: Lane, url: string, told: () => void): Promise<void> => {
  const client = async (): Promise<void> => {
    for (let count = 0; count < ordersPerClient; count++) {
      const body = { site_id: siteId, name: 'Familie Berger' };
      if ((await send(url, 'POST', '/vouchers.php', { key, body })).status === 201) told();
    }
  };
  await Promise.allSettled(Array.from({ length: clients }, client));
};

/** Kills it at work again and again, and returns how many vouchers clients were told of. */
const killAgainAndAgain = async (lane: Lane): Promise<number> => {
  let created = 0;
  for (let kill = 0; kill < killsPerLane; kill++) {
    await endLeases(lane, '%');
    const before = { arrived: lane.target.requests.length, created };
    // The first kill is sure to find a message in flight, however slow the machine is.
    if (kill === 0) lane.target.behave({ does: 'hang' });
    const program = serve(lane);
    let loaded: Promise<void> | undefined;
    try {
      loaded = load(lane, await program.url(), () => created++);
      await until('it is delivering', () => lane.target.requests.length > before.arrived);
      // What waits from the time before is sent at once: every other kill waits for a new voucher as well.
      if (kill % 2 === 1) await until('a first voucher', () => created > before.created);
      await passing(Math.random() * 120);
    } finally {
      await killProgram(program);
    }
    await loaded;
  }
  return created;
};

/** Lets it finish; the last process has left a lease, whose end is waited for. */
const finish = async (lane: Lane): Promise<void> => {
  await endLeases(lane, 'reconcile');
  const program = serve(lane);
  try {
    await program.url();
    const left = async () => {
      const outbox = await lane.database.read('notifications').whereNull('dispatched_at');
      const waiting = await lane.tables.deliveries.newest({ state: 'waiting' }, 1);
      return outbox.length + waiting.length + (await lane.tables.intents.all()).length;
    };
    await until('all is delivered', async () => (await left()) === 0);
  } finally {
    expect(await stopProgram(program)).toBe(0);
  }
};

test(`killed ${lanes * killsPerLane} times during delivery, every voucher's notification arrives, and twice only what was in flight`, async () => {
  const counts = await Promise.all(
    all.map(async (lane) => {
      const created = await killAgainAndAgain(lane);
      await finish(lane);
      return created;
    }),
  );

  let [arrivedTwice, recorded] = [0, 0];
  for (const lane of all) {
    expectSettled(await readDataSnapshot(lane.folder.path));
    await expectWholeFiles(lane.folder.path);
    const deliveries = (await lane.tables.deliveries.newest({}, 100_000)).reverse();
    expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['delivered']));
    const notifications = await lane.database.read('notifications').pluck<string[]>('id');
    expect(deliveries.map(({ notification }) => notification.id).sort()).toEqual(notifications.sort());

    const arrived = lane.target.requests.map(({ headers }) => headers['webhook-id']);
    const repeated = arrived.filter((id, index) => arrived.indexOf(id) < index);
    // In order, each under one id; again only the very one whose outcome a killed process could not record.
    const wanted = deliveries.map(({ notification }) => `msg_${notification.id}`);
    expect(arrived.filter((id, index) => id !== arrived[index - 1])).toEqual(wanted);
    expect(repeated.length).toBeLessThanOrEqual(killsPerLane);
    arrivedTwice += repeated.length;
    recorded += notifications.length;
  }
  const created = counts.reduce((sum, count) => sum + count, 0);
  expect(recorded).toBeGreaterThanOrEqual(created);
  // Otherwise the kills came too early or too late to show anything.
  expect(arrivedTwice).toBeGreaterThan(0);
  console.log(
    `${lanes * killsPerLane} kills: ${created} answers 201, ${recorded} vouchers recorded, all notified; ` +
      `${arrivedTwice} notifications arrived once more`,
  );
});
