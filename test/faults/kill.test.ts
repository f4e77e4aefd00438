import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { setTimeout as passing } from 'node:timers/promises';
import { newKey } from '../../src/access/keys.js';
import { systemEffects } from '../../src/effects.js';
import { openDatabase } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { makeStorage } from '../../src/storage/storage.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { send } from '../support/service.js';
import { until } from '../support/until.js';
import { expectNothingHalfWritten, expectSettled, expectWholeFiles, readBooks } from './books.js';
import { clientSite, emptyLedger, load } from './load.js';
import { killProgram, serveProgram, stopProgram } from './program.js';

const kills = 50;
const startKills = 6;
/** KILL_SEED repeats the moments of a run; what the processes were doing then is up to the machine. */
const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

let folder: TestFolder;
let key: string;
const siteIds: number[] = [];

/** Two sites on one controller, which answers at once, and one on another, which takes its time. */
beforeAll(async () => {
  folder = await makeFolder();
  const database = openDatabase(`sqlite:${join(folder.path, 'voucherd.sqlite')}`);
  await migrate(database);
  const storage = makeStorage(database);
  const made = newKey(systemEffects);
  key = made.key;
  const now = Date.now();
  await storage.apiKeys.add({
    name: 'Last',
    prefix: made.prefix,
    hash: made.hash,
    scope: 'write',
    rateLimit: 0,
    createdAt: now,
    expiresAt: null,
  });
  for (const [controller, latencyMs, sites] of [
    ['schnell', 0, ['Nord', 'Süd']],
    ['langsam', 15, ['West']],
  ] as const) {
    const settings = { latencyMs };
    const controllerId = await storage.controllers.add(
      { name: controller, kind: 'simulated', settings },
      now,
    );
    for (const name of sites) {
      siteIds.push(await storage.sites.add({ name, active: true, controllerId, controllerSite: name }, now));
    }
  }
  await database.close();
});
afterAll(() => folder.remove());

/** The site that the client in the name of an order belongs to. */
const siteOf = (name: string): number => clientSite(siteIds, Number(name.split('-')[1]));

/** A small generator of numbers from 0 to 1 that a seed decides (mulberry32). */
const makeRandom = (from: number) => {
  let state = from;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

test(`killed ${kills} times at random moments, the service loses no voucher and records none twice (KILL_SEED=${seed})`, async () => {
  const random = makeRandom(seed);
  const ledger = emptyLedger();
  for (let round = 0; round < kills; round++) {
    const program = serveProgram(folder.path);
    let loaded: Promise<void> | undefined;
    try {
      loaded = load({ url: await program.url(), key, siteIds, round: `r${round}`, ledger });
      // Every other time only after a first voucher, so that a slow machine is killed at work as well.
      const before = ledger.codes.length;
      if (round % 2 === 1) await until('a first voucher', () => ledger.codes.length > before);
      await passing(5 + random() * 145);
    } finally {
      await killProgram(program);
    }
    await loaded;
    expectNothingHalfWritten(await readBooks(folder.path));
    if (round % Math.floor(kills / startKills) > 0) continue;
    const starting = serveProgram(folder.path);
    await passing(random() * 700);
    await killProgram(starting);
  }

  const program = serveProgram(folder.path);
  try {
    const url = await program.url();
    // The lease of a process that was killed lasts 30 s.
    await until('no intent is left', async () => (await readBooks(folder.path)).intents.length === 0, 60_000);
    expectSettled(await readBooks(folder.path));
    const order = async (name: string, siteId: number): Promise<string> => {
      const headers = { 'Idempotency-Key': name };
      const body = { site_id: siteId, name };
      const answer = await send(url, 'POST', '/vouchers.php', { key, headers, body });
      expect(answer.status).toBe(201);
      return (answer.body as { code: string }).code;
    };
    for (const [name, code] of ledger.byKey) expect(await order(name, siteOf(name))).toBe(code);
    for (const { name, siteId } of ledger.open.values()) ledger.byKey.set(name, await order(name, siteId));
  } finally {
    expect(await stopProgram(program)).toBe(0);
  }

  const books = await readBooks(folder.path);
  expectSettled(books);
  await expectWholeFiles(folder.path);
  const recorded = new Map(books.vouchers.map(({ code, name }) => [code, name.slice('2026-01-01_'.length)]));
  expect(ledger.codes.filter((code) => !recorded.has(code))).toEqual([]);
  for (const [idempotencyKey, code] of ledger.byKey) expect(recorded.get(code)).toBe(idempotencyKey);
  const names = [...recorded.values()].filter((name) => name !== 'Gleicher Name');
  expect(new Set(names).size).toBe(names.length);
  expect(ledger.unexpected).toEqual([]);
  // Otherwise the kills came too early to show anything.
  expect(ledger.codes.length).toBeGreaterThanOrEqual(kills / 2);
  expect(ledger.byKey.size).toBeGreaterThan(0);
}, 600_000);
