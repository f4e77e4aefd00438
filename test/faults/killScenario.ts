import { setTimeout as passing } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { send } from '../support/service.js';
import { until } from '../support/until.js';
import {
  expectNothingHalfWritten,
  expectSettled,
  expectWholeFiles,
  type DataSnapshot,
} from './dataSnapshot.js';
import {
  clientSite,
  emptyLedger,
  generateLoad,
  isExpectedRefusal,
  type LoadLedger,
} from './loadGenerator.js';
import { killProgram, serveProgram, stopProgram } from './program.js';

export interface KillScenarioOptions {
  readonly dataDir: string;
  readonly key: string;
  readonly siteIds: readonly number[];
  readonly kills: number;
  /** Repeats the moments of a run; what the processes were doing then is up to the machine. */
  readonly seed: number;
  readBooks(): Promise<DataSnapshot>;
}

/** After how many kills at work it is also killed while it starts. */
const killsPerStartKill = (kills: number): number => Math.max(3, Math.floor(kills / 6));

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

/** Kills the service under load, again and again; afterwards clients, records and controllers agree. */
export const expectNothingLost = async (options: KillScenarioOptions): Promise<LoadLedger> => {
  const { dataDir, key, siteIds, kills, seed, readBooks } = options;
  /** The site that the client in the name of an order belongs to. */
  const siteOf = (name: string): number => clientSite(siteIds, Number(name.split('-')[1]));
  const random = makeRandom(seed);
  const ledger = emptyLedger();
  for (let round = 0; round < kills; round++) {
    const program = serveProgram(dataDir);
    let loaded: Promise<void> | undefined;
    try {
      loaded = generateLoad({ url: await program.url(), key, siteIds, round: `r${round}`, ledger });
      // Every other time only after a first voucher, so that a slow machine is killed at work as well.
      const before = ledger.codes.length;
      if (round % 2 === 1) await until('a first voucher', () => ledger.codes.length > before);
      await passing(5 + random() * 145);
    } finally {
      await killProgram(program);
    }
    await loaded;
    expectNothingHalfWritten(await readBooks());
    if (round % killsPerStartKill(kills) > 0) continue;
    const starting = serveProgram(dataDir);
    await passing(random() * 700);
    await killProgram(starting);
  }

  const program = serveProgram(dataDir);
  try {
    const url = await program.url();
    // The lease of a process that was killed lasts 15 s.
    await until('no intent is left', async () => (await readBooks()).intents.length === 0);
    expectSettled(await readBooks());
    // On a busy machine the controller may take longer than the deadline. Then the reconciler has to settle it.
    const order = (name: string, siteId: number): Promise<string> =>
      until(`${name} is settled`, async () => {
        const headers = { 'Idempotency-Key': name };
        const body = { site_id: siteId, name };
        const answer = await send(url, 'POST', '/vouchers.php', { key, headers, body });
        if (answer.status === 201) return (answer.body as { code: string }).code;
        if (!isExpectedRefusal(answer)) throw new Error(`${name}: ${answer.status} ${answer.text}`);
        return undefined;
      });
    for (const [name, code] of ledger.byKey) expect(await order(name, siteOf(name))).toBe(code);
    for (const { name, siteId } of ledger.open.values()) ledger.byKey.set(name, await order(name, siteId));
  } finally {
    expect(await stopProgram(program)).toBe(0);
  }

  const books = await readBooks();
  expectSettled(books);
  await expectWholeFiles(dataDir);
  const recorded = new Map(books.vouchers.map(({ code, name }) => [code, name.slice('2026-01-01_'.length)]));
  expect(ledger.codes.filter((code) => !recorded.has(code))).toEqual([]);
  for (const [idempotencyKey, code] of ledger.byKey) expect(recorded.get(code)).toBe(idempotencyKey);
  const names = [...recorded.values()].filter((name) => name !== 'Gleicher Name');
  expect(new Set(names).size).toBe(names.length);
  expect(ledger.unexpected).toEqual([]);
  // Otherwise the kills came too early to show anything.
  expect(ledger.codes.length).toBeGreaterThanOrEqual(kills / 2);
  expect(ledger.byKey.size).toBeGreaterThan(0);
  return ledger;
};
