import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { sendLine } from '../../tools/contract/src/conformance/requestLine.js';

const line = { method: 'get', path: '/sites.php', version: '1.1' } as const;

test('a service that is silent, or does not close, ends no run: the wait has a deadline', async () => {
  for (const said of ['', 'HTTP/1.1 200 OK\r\n\r\n']) {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(said);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(sendLine(`http://127.0.0.1:${String(port)}`, line, 100)).rejects.toThrow(
      'get /sites.php: no complete answer within 0.1 s',
    );
    server.close();
  }
});
