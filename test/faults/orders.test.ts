import { randomUUID } from 'node:crypto';
import { setTimeout as passing } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import type { ConsoleFault } from '../../simulators/unifi/faults.js';
import { withAdmin } from '../support/api.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { send, startService } from '../support/service.js';
import { until } from '../support/until.js';
import { signInFirst } from '../support/web.js';
import { addConsole, consoleKinds } from '../vouchers/consoleFixtures.js';
import { readDataSnapshot } from './dataSnapshot.js';
import { killProgram, serveProgram, stopProgram } from './program.js';

/** How often each is tried: a sample in `npm test`, 20 times in `npm run soak -- rounds`. */
const rounds = Number(process.env['ORDER_ROUNDS'] ?? 2);
const count = 500;
/** As many as the console makes that makes only some. */
const some = 300;
const limits = { maxUses: 1, expireMinutes: 480, down: 0, up: 0, quotaMb: 0 };
const bodyOf = (siteId: number, name: string) => ({ siteId, name, count, limits });

type Order = WebSchema<'Order'>;

let folder: TestFolder;
let console: UnifiConsole;
/** Runs ahead of the machine's clock, so that deadlines pass without waiting. */
let aheadMs: number;
beforeEach(async () => {
  aheadMs = 0;
  folder = await makeFolder();
  console = await startUnifiConsole({ clock: () => Date.now() + aheadMs, loginLimit: 1000 });
});
afterEach(async () => {
  await console.stop();
  await folder.remove();
});

const codesThere = () =>
  console
    .vouchers()
    .map(({ code }) => code)
    .sort();
const callsToCreate = () =>
  Object.entries(console.counts.byRoute).reduce(
    (sum, [route, calls]) => sum + (/^POST (vouchers|cmd\/hotspot create-voucher)$/.test(route) ? calls : 0),
    0,
  );

describe.each(consoleKinds)(`${count} vouchers in one order (%s)`, (kind) => {
  const deadlineMs = 30_000;
  const api = withAdmin({
    system: { now: () => Date.now() + aheadMs },
    env: {
      CONTROLLER_DEADLINE_S: String(deadlineMs / 1000),
      RECONCILE_INTERVAL_S: '3600',
      RECONCILE_GRACE_S: '60',
    },
    perTest: 'service',
  });
  let siteId: number;
  beforeEach(async () => {
    [siteId = 0] = await addConsole(api, console, kind);
  });

  const place = async (name: string): Promise<Order> => {
    const answer = await api.admin.put(`/orders/${randomUUID()}`, bodyOf(siteId, name));
    expect(answer.status).toBe(200);
    return answer.body as Order;
  };
  const look = async ({ id }: Order): Promise<Order> => (await api.admin.get(`/orders/${id}`)).body as Order;
  const recorded = async () => (await api.database.read('vouchers').pluck<string[]>('code')).sort();
  const announced = () => api.database.read('notifications').pluck<number[]>('count');
  const settle = async () => {
    aheadMs += deadlineMs + 1000;
    await api.app.reconcile();
    aheadMs += 60_000;
    expect(await api.app.reconcile()).toBe(0);
  };

  test('is one call of the controller and one notification', async () => {
    const order = await place('Tagung');
    expect(order).toMatchObject({ state: 'made', made: count, reason: null });
    expect(callsToCreate()).toBe(1);
    expect(await announced()).toEqual([count]);
    expect(order.vouchers.map(({ code }) => code).sort()).toEqual(codesThere());
    expect(await recorded()).toEqual(codesThere());
    expect(codesThere()).toHaveLength(count);
  });

  const faults: [string, ConsoleFault, number][] = [
    ['whose answer is lost', { kind: 'reset-after', times: 1 }, count],
    ['whose answer breaks off', { kind: 'truncated', times: 1 }, count],
    ['of which the console makes only some', { kind: 'some', times: 1 }, some],
    ['of which the console makes only some, and the answer is lost', { kind: 'some-reset', times: 1 }, some],
    ['that never reaches the console', { kind: 'reset-before', times: 1 }, 0],
  ];
  test.each(faults)(`%s: controller and records agree, ${rounds} times`, async (_, fault, made) => {
    for (let round = 1; round <= rounds; round++) {
      const before = await recorded();
      console.fault(fault);
      const order = await place(`Runde ${String(round)}`);
      // The console was hit by the fault.
      expect(order.state).toBe('open');
      await settle();
      const settled = await look(order);
      expect(settled).toMatchObject({ state: made > 0 ? 'made' : 'failed', made });
      expect(settled.reason === null).toBe(made === count);
      const codes = settled.vouchers.map(({ code }) => code);
      expect(new Set(codes).size).toBe(made);
      expect(await recorded()).toEqual([...before, ...codes].sort());
      expect(await recorded()).toEqual(codesThere());
      expect(await announced()).toHaveLength(made > 0 ? round : 0);
    }
    expect((await announced()).every((announcedCount) => announcedCount === made)).toBe(true);
  });

  test('two such orders alike, both lost and one of them made only in part, are recorded as what there is', async () => {
    console.fault({ kind: 'reset-after', times: 1 });
    const first = await place('Tagung');
    console.fault({ kind: 'some-reset', times: 1 });
    const second = await place('Tagung');
    await settle();
    const orders = [await look(first), await look(second)];
    expect(orders.map(({ made }) => made)).toEqual([count, some]);
    expect(await recorded()).toEqual(codesThere());
    expect(await announced()).toEqual(expect.arrayContaining([count, some]));
  });
});

test.each(consoleKinds)(
  `killed ${rounds} times in the middle of an order of ${count} (%s): none is lost, none is recorded twice`,
  async (kind) => {
    const dataDir = folder.path;
    const service = await startService({ dataDir });
    const admin = await signInFirst(service);
    const [siteId = 0] = await addConsole(service, console, kind);
    await service.stop();
    const headers = {
      Cookie: admin.cookie,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/json',
    };
    const place = (url: string, id: string, name: string) =>
      send(url, 'PUT', `/web/orders/${id}`, { headers, body: bodyOf(siteId, name) });
    const names = new Map<string, string>();

    /** Sends an order, and returns whether it has ended. */
    const begin = (url: string, name: string) => {
      const id = randomUUID();
      names.set(id, name);
      const order = { ended: false, sent: place(url, id, name).catch(() => undefined) };
      void order.sent.then(() => (order.ended = true));
      return order;
    };
    /** Sends orders until the console has made one and has not answered: the first may be too late on a busy machine. */
    const beginUnanswered = async (url: string, name: string): Promise<void> => {
      const before = console.vouchers().length;
      for (let attempt = 1; console.vouchers().length === before; attempt++) {
        console.fault({ kind: 'slow', delayMs: 60_000, times: 1 });
        const order = begin(url, `${name}.${String(attempt)}`);
        await until('the vouchers exist', () => console.vouchers().length > before || order.ended);
      }
    };

    for (let round = 1; round <= rounds; round++) {
      const program = serveProgram(dataDir);
      const name = `Runde ${String(round)}`;
      try {
        const url = await program.url();
        // Every other time the console has made them and has not answered yet; otherwise at any moment.
        if (round % 2 === 1) await beginUnanswered(url, name);
        else await Promise.race([begin(url, name).sent, passing(Math.random() * 300)]);
      } finally {
        await killProgram(program);
        console.fault(undefined);
      }
    }

    const program = serveProgram(dataDir);
    try {
      const url = await program.url();
      // The lease of a process that was killed lasts 15 s.
      await until('no intent is left', async () => (await readDataSnapshot(dataDir)).intents.length === 0);
      const books = await readDataSnapshot(dataDir);
      expect(books.vouchers.map(({ code }) => code).sort()).toEqual(codesThere());
      const counts = books.notifications.map((notification) => notification.count);
      expect(counts.reduce((sum, one) => sum + one, 0)).toBe(codesThere().length);
      // A page that repeats its request gets the order that there was, and only what never began is made now.
      for (const [id, name] of names) {
        // On a busy machine the console may take longer than the deadline. Then the reconciler has to settle it.
        const order = await until(`${name} is settled`, async () => {
          const found = (await place(url, id, name)).body as Order;
          return found.state === 'open' ? undefined : found;
        });
        expect(order).toMatchObject({ id, name });
        expect(order.state === 'made' ? order.made : 0).toBe(order.vouchers.length);
        expect(console.vouchers().filter((voucher) => voucher.name.endsWith(`_${name}`))).toHaveLength(
          order.vouchers.length,
        );
      }
      expect(codesThere().length).toBeGreaterThanOrEqual(count * Math.ceil(rounds / 2));
    } finally {
      expect(await stopProgram(program)).toBe(0);
    }
    const books = await readDataSnapshot(dataDir);
    expect(books.intents).toEqual([]);
    expect(books.vouchers.map(({ code }) => code).sort()).toEqual(codesThere());
  },
  1_200_000,
);
