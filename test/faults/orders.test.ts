import { randomUUID } from 'node:crypto';
import { setTimeout as passing } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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
const rounds = Number(process.env['ORDER_ROUNDS'] ?? 1);
const count = 500;
/** As many as the console makes that makes only some. */
const some = 300;
const limits = { maxUses: 1, expireMinutes: 480, down: 0, up: 0, quotaMb: 0 };
const bodyOf = (siteId: number, name: string) => ({ siteId, name, count, limits });

type Order = WebSchema<'Order'>;

const codesOn = (console: UnifiConsole) =>
  console
    .vouchers()
    .map(({ code }) => code)
    .sort();

describe.each(consoleKinds)(`${count} vouchers in one order (%s)`, (kind) => {
  const deadlineMs = 30_000;
  /** Runs ahead of the machine's clock, so that deadlines pass without waiting. */
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  let console: UnifiConsole;
  const api = withAdmin({
    system: { now },
    env: {
      CONTROLLER_DEADLINE_S: String(deadlineMs / 1000),
      RECONCILE_INTERVAL_S: '3600',
      RECONCILE_GRACE_S: '60',
    },
    afterStop: () => console.stop(),
  });
  let siteId: number;
  beforeAll(async () => {
    console = await startUnifiConsole({ clock: now, loginLimit: 1000 });
    [siteId = 0] = await addConsole(api, console, kind);
  });

  const place = async (name: string): Promise<Order> => {
    const answer = await api.admin.put(`/orders/${randomUUID()}`, bodyOf(siteId, name));
    expect(answer.status).toBe(200);
    return answer.body as Order;
  };
  const look = async ({ id }: Order): Promise<Order> => (await api.admin.get(`/orders/${id}`)).body as Order;
  const codesOf = ({ vouchers }: Order) => vouchers.map(({ code }) => code);
  const recorded = async () => (await api.database.read('vouchers').pluck<string[]>('code')).sort();
  const announced = () => api.database.read('notifications').pluck<number[]>('count');
  /** The counts of the notifications that the work brings. */
  const announcedBy = async (work: () => Promise<unknown>): Promise<number[]> => {
    await api.database.write('notifications').delete();
    await work();
    return announced();
  };
  const settle = async () => {
    aheadMs += deadlineMs + 1000;
    await api.app.reconcile();
    aheadMs += 60_000;
    expect(await api.app.reconcile()).toBe(0);
  };

  test('is one call of the controller and one notification', async () => {
    const order = await place('Tagung');
    expect(order).toMatchObject({ state: 'made', made: count, reason: null });
    const creating = /^POST (vouchers|cmd\/hotspot create-voucher)$/;
    const calls = Object.entries(console.counts.byRoute).filter(([route]) => creating.test(route));
    expect(calls.map(([, made]) => made)).toEqual([1]);
    expect(await announced()).toEqual([count]);
    expect(codesOf(order).sort()).toEqual(codesOn(console));
    expect(await recorded()).toEqual(codesOn(console));
    expect(codesOn(console)).toHaveLength(count);
  });

  const faults: [string, ConsoleFault, number][] = [
    ['answer lost', { kind: 'reset-after', times: 1 }, count],
    ['answer broken off', { kind: 'truncated', times: 1 }, count],
    ['only some made', { kind: 'some', times: 1 }, some],
    ['only some made, answer lost', { kind: 'some-reset', times: 1 }, some],
    ['never reaches the console', { kind: 'reset-before', times: 1 }, 0],
  ];
  test(`after each fault controller and records agree, ${rounds} times`, async () => {
    const outcomes: unknown[] = [];
    for (const [name, fault] of faults)
      for (let round = 1; round <= rounds; round++) {
        let order!: Order;
        const counts = await announcedBy(async () => {
          console.fault(fault);
          order = await place(`${name} ${String(round)}`);
          await settle();
        });
        const { state, made, reason, vouchers } = await look(order);
        const codes = new Set(vouchers.map(({ code }) => code)).size;
        outcomes.push({ name, first: order.state, state, made, isWhole: reason === null, codes, counts });
        expect({ name, recorded: await recorded() }).toEqual({ name, recorded: codesOn(console) });
      }
    const expected = faults.map(([name, , made]) => ({
      // The console was hit by the fault.
      ...{ name, first: 'open', state: made > 0 ? 'made' : 'failed', made, isWhole: made === count },
      ...{ codes: made, counts: made > 0 ? [made] : [] },
    }));
    expect(outcomes).toEqual(expected.flatMap((one) => Array<unknown>(rounds).fill(one)));
  });

  test('two such orders alike, both lost and one of them made only in part, are recorded as what there is', async () => {
    const orders: Order[] = [];
    const counts = await announcedBy(async () => {
      for (const fault of ['reset-after', 'some-reset'] as const) {
        console.fault({ kind: fault, times: 1 });
        orders.push(await place('Tagung'));
      }
      await settle();
    });
    expect((await Promise.all(orders.map(look))).map(({ made }) => made)).toEqual([count, some]);
    expect(await recorded()).toEqual(codesOn(console));
    expect(counts.sort()).toEqual([some, count]);
  });
});

describe('a service that is killed', () => {
  let folder: TestFolder;
  let console: UnifiConsole;
  beforeEach(async () => {
    folder = await makeFolder();
    console = await startUnifiConsole({ loginLimit: 1000 });
  });
  afterEach(async () => {
    await console.stop();
    await folder.remove();
  });
  const codesThere = () => codesOn(console);

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
});
