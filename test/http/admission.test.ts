import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { makePipelining } from '../../src/http/admission.js';

test('what a turn of the event loop brings is read before any of it begins, with the time at which it was read', async () => {
  const events: string[] = [];
  const begun: { readonly url: string | undefined; readonly readAt: number }[] = [];
  const { admit } = makePipelining({
    begin: (req, res, readAt) => {
      events.push(`begin ${String(req.url)}`);
      begun.push({ url: req.url, readAt });
      res.end();
    },
    onDropped: () => undefined,
  });
  const server = createServer((req: IncomingMessage, res) => {
    events.push(`read ${String(req.url)}`);
    admit(req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const before = performance.now();
  // Both arrive in one piece, so they are parsed in the same turn.
  client.write(
    'GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  client.resume();
  await once(client, 'close');
  server.close();
  await nextTurn();
  expect(events).toEqual(['read /1', 'read /2', 'begin /1', 'begin /2']);
  const [first, second] = begun;
  expect(first?.readAt).toBeGreaterThanOrEqual(before);
  expect(second?.readAt).toBe(first?.readAt);
});
