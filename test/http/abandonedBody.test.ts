import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { receiveBody, streamBody } from '../../src/http/body.js';
import { ClientGone } from '../../src/http/clientGone.js';

const media = 'text/csv';

test.each([
  ['read as a whole', async (...of: Parameters<typeof receiveBody>) => receiveBody(...of)],
  [
    'streamed',
    async (...[req, res, maxBytes]: Parameters<typeof receiveBody>) => streamBody(req, res, maxBytes),
  ],
])('a body that is %s after its client has gone ends at once', async (_, read) => {
  let settle: (outcome: Promise<unknown>) => void;
  const outcome = new Promise((resolve) => (settle = resolve));
  const server = createServer((req, res) => {
    // As while the key is looked up.
    req.on('error', () => undefined);
    req.once('close', () => settle(read(req, res, 1000)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const headers = { 'Content-Type': media, 'Content-Length': '100' };
  const sent = request({ host: '127.0.0.1', port, method: 'POST', headers });
  sent.on('error', () => undefined);
  server.once('request', () => sent.destroy());
  sent.write('{');
  await expect(outcome).rejects.toBeInstanceOf(ClientGone);
  server.close();
});
