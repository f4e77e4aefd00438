import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test } from '@jest/globals';
import { makePipelining } from '../../src/http/pipelining.js';
import { until } from '../support/until.js';

let server: Server;
let client: Socket;
afterEach(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

/** A server that begins requests as they are admitted, and a client of it. */
const open = async (
  begin: (req: IncomingMessage, res: ServerResponse, at: number, isPipelined: boolean) => void,
  onRead: (req: IncomingMessage) => void = () => undefined,
): Promise<void> => {
  const { admit } = makePipelining({ begin, onDropped: () => undefined, onAbandoned: () => undefined });
  server = createServer((req, res) => {
    onRead(req);
    admit(req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(client, 'connect');
};

const requests = (count: number, header = ''): string =>
  Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: x\r\n${header}\r\n`).join('');

test('what a turn of the event loop brings is read before any of it begins, with the time at which it was read', async () => {
  const events: string[] = [];
  const times = new Set<number>();
  await open(
    (req, res, at) => {
      events.push(`begin ${String(req.url)}`);
      times.add(at);
      res.end();
    },
    (req) => events.push(`read ${String(req.url)}`),
  );
  const before = performance.now();
  // Both arrive in one piece, so they are parsed in the same turn.
  client.write(requests(2));
  await until('both have begun', () => events.length === 4);
  expect(events).toEqual(['read /0', 'read /1', 'begin /0', 'begin /1']);
  const [at = 0] = times;
  expect(times.size).toBe(1);
  expect(at).toBeGreaterThanOrEqual(before);
});

test('of requests in one piece, none begins while too much of the answers to earlier ones is unread', async () => {
  const large = Buffer.alloc(16 * 1024 * 1024);
  let begun = 0;
  await open((_, res) => {
    begun += 1;
    res.end(large);
  });
  client.pause();
  client.write(requests(16));
  await until('the first has begun', () => begun > 0);
  // More turns than it takes to begin all of them.
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  expect(begun).toBe(1);
  client.resume();
  await until('all have begun', () => begun === 16);
});

test('a request is told whether others of its connection wait or are in flight', async () => {
  const told: boolean[] = [];
  await open((_req, res, _at, isPipelined) => {
    told.push(isPipelined);
    res.end();
  });
  client.write(requests(3));
  await until('all have begun', () => told.length === 3);
  client.write(requests(1));
  await until('the last has begun', () => told.length === 4);
  expect(told).toEqual([true, true, true, false]);
});

test('a turn of the event loop goes on with one of the connections that wait, and each has its turn', async () => {
  const [count, each] = [8, 200];
  const turns = [{ read: 0, begun: 0 }];
  const last = (): { read: number; begun: number } => turns.at(-1) as { read: number; begun: number };
  const begun = new Map<Socket, number>();
  await open(
    ({ socket }, res) => {
      last().begun += 1;
      begun.set(socket, (begun.get(socket) ?? 0) + 1);
      res.end();
    },
    () => (last().read += 1),
  );
  const { port } = server.address() as AddressInfo;
  const others = Array.from({ length: count - 1 }, () => connect(port, '127.0.0.1'));
  for (const one of [client, ...others]) one.resume().write(requests(each));
  const all = (): number => [...begun.values()].reduce((sum, number) => sum + number, 0);
  await new Promise<void>((resolve) => {
    const turn = (): void => {
      turns.push({ read: 0, begun: 0 });
      if (all() === count * each) resolve();
      else setImmediate(turn);
    };
    turn();
  });
  for (const one of others) one.destroy();
  expect([...begun.values()]).toEqual(Array.from({ length: count }, () => each));
  // What was read begins in the turn in which it was read, or in the next as this test counts them.
  const further = turns.filter(({ read }, index) => read === 0 && (turns[index - 1]?.read ?? 0) === 0);
  const counts = further.map((turn) => turn.begun);
  expect(counts.reduce((sum, number) => sum + number, 0)).toBeGreaterThan((count * each) / 2);
  expect(Math.max(...counts)).toBeLessThanOrEqual(16);
});

test('a client that closes its side after 40 requests in one piece gets all answers that are there at once', async () => {
  await open((_, res) => void res.end('x'.repeat(50_000)));
  let received = '';
  client.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  client.end(requests(40));
  await once(client, 'close');
  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(40);
});

test('an idle connection holds no request that was answered', async () => {
  const answered: WeakRef<ServerResponse>[] = [];
  await open((_, res) => {
    answered.push(new WeakRef(res));
    res.end();
  });
  client.resume();
  client.write(requests(16));
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await until('they are gone', () => {
    collect();
    return answered.length === 16 && answered.every((response) => response.deref() === undefined);
  });
  expect(client.destroyed).toBe(false);
});
