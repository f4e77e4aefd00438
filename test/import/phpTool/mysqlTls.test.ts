import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { readMysql } from '../../../src/import/phpTool/mysqlSource.js';

/** The greeting of a server that can encrypt, up to where the client asks for that. */
const greeting = (): Buffer => {
  const [ssl, protocol41, secureConnection, pluginAuth] = [0x800, 0x200, 0x8000, 0x80000];
  const flags = ssl | protocol41 | secureConnection | pluginAuth;
  const content = Buffer.concat([
    Buffer.from([10]),
    Buffer.from('8.0.0\0'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from('12345678\0'),
    Buffer.from([flags & 0xff, (flags >> 8) & 0xff, 45, 2, 0, (flags >> 16) & 0xff, flags >> 24, 21]),
    Buffer.alloc(10),
    Buffer.from('123456789012\0'),
    Buffer.from('mysql_native_password\0'),
  ]);
  return Buffer.concat([Buffer.from([content.length, 0, 0, 0]), content]);
};

const accessDenied = (sequence: number): Buffer => {
  const content = Buffer.concat([Buffer.from([0xff, 0x15, 0x04]), Buffer.from('#28000denied')]);
  return Buffer.concat([Buffer.from([content.length, 0, 0, sequence]), content]);
};

interface TlsMysql {
  readonly port: number;
  readonly ca: string;
  /** How many clients have sent who they are. */
  logins(): number;
  stop(): void;
}

const startTlsMysql = async (
  altNames: { type: 2; value: string } | { type: 7; ip: string },
): Promise<TlsMysql> => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'database' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [altNames] }],
  });
  let logins = 0;
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(greeting());
    socket.once('data', (request: Buffer) => {
      // What follows the request may have come with it.
      socket.pause();
      socket.unshift(request.subarray(4 + request.readUIntLE(0, 3)));
      const secure = new TLSSocket(socket, { isServer: true, key, cert });
      secure.on('error', () => undefined);
      secure.once('data', () => {
        logins += 1;
        secure.end(accessDenied(3));
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    ca: cert,
    logins: () => logins,
    stop: () => void server.close(),
  };
};

let named: TlsMysql;
let numbered: TlsMysql;
let other: TlsMysql;
beforeAll(async () => {
  named = await startTlsMysql({ type: 2, value: 'localhost' });
  numbered = await startTlsMysql({ type: 7, ip: '127.0.0.1' });
  other = await startTlsMysql({ type: 2, value: 'other.example.org' });
});
afterAll(() => {
  for (const server of [named, numbered, other]) server.stop();
});

const read = (host: string, { port, ca }: TlsMysql) =>
  readMysql({ host, port, user: 'reader', database: 'tool', tls: { ca } }, 'secret-4711');

test('a certificate for the host, by name or by IP address, is accepted', async () => {
  await expect(read('localhost', named)).rejects.toThrow('(ER_ACCESS_DENIED_ERROR)');
  await expect(read('127.0.0.1', numbered)).rejects.toThrow('(ER_ACCESS_DENIED_ERROR)');
  expect([named.logins(), numbered.logins()]).toEqual([1, 1]);
});

test('a trusted certificate for another host is refused before anything is sent', async () => {
  const before = [named, numbered, other].map(({ logins }) => logins());
  for (const [host, server] of [
    ['localhost', other],
    ['127.0.0.1', other],
    ['127.0.0.1', named],
    ['localhost', numbered],
  ] as const)
    await expect(read(host, server)).rejects.toThrow('its certificate must be for the host in the address');
  expect([named, numbered, other].map(({ logins }) => logins())).toEqual(before);
});
