import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { makeCertificate, type Certificate } from '../../../simulators/certificate.js';
import { makeRadiusSql } from '../../../src/controllers/radiusSql/radiusSql.js';
import { sharedCertificate } from '../../support/certificate.js';
import { someControllerDeps } from '../../support/controllerDeps.js';

/** A database that refuses every password. */
interface FakeDatabase {
  readonly port: number;
  /** Each sign-in that it got, and how. */
  readonly signIns: readonly ('encrypted' | 'plain')[];
}

interface Protocol {
  /** What the server says first. */
  readonly greeting?: Buffer;
  /** What the request for encryption begins with, how long it is, and what is answered: nothing where the client goes on by itself. */
  readonly request: { readonly head: Buffer; readonly length: number; readonly yes: string };
  /** An answer to a sign-in, which may have come after a request for encryption. */
  refusal(isEncrypted: boolean): Buffer;
}

/** The version 10 of the handshake, with encryption among the capabilities. */
const mysqlGreeting = (): Buffer => {
  const [capabilities, plugin] = [0x000f_ffff, 'mysql_native_password'];
  const body = Buffer.concat([
    Buffer.from([10]),
    Buffer.from('10.11.6\0'),
    Buffer.alloc(4),
    Buffer.from('12345678\0'),
    Buffer.from([capabilities & 0xff, (capabilities >> 8) & 0xff, 45, 2, 0]),
    Buffer.from([(capabilities >> 16) & 0xff, (capabilities >> 24) & 0xff, 21]),
    Buffer.alloc(10),
    Buffer.from('123456789012\0'),
    Buffer.from(`${plugin}\0`),
  ]);
  return Buffer.concat([Buffer.from([body.length, 0, 0, 0]), body]);
};

const mysqlRefusal = (isEncrypted: boolean): Buffer => {
  const body = Buffer.concat([Buffer.from([0xff, 0x15, 0x04]), Buffer.from('#28000Access denied')]);
  return Buffer.concat([Buffer.from([body.length, 0, 0, isEncrypted ? 3 : 2]), body]);
};

const postgresRefusal = (): Buffer => {
  const fields = Buffer.from('SFATAL\0C28P01\0Mpassword authentication failed\0\0');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from('E'), length, fields]);
};

const protocols: Readonly<Record<string, Protocol>> = {
  postgresql: {
    request: { head: Buffer.from([0, 0, 0, 8]), length: 8, yes: 'S' },
    refusal: postgresRefusal,
  },
  mysql: {
    greeting: mysqlGreeting(),
    request: { head: Buffer.from([32, 0, 0, 1]), length: 36, yes: '' },
    refusal: mysqlRefusal,
  },
};

const servers: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];
afterEach(() => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

const startFake = async (
  { greeting, request, refusal }: Protocol,
  { cert, key }: Certificate,
  host: string,
): Promise<FakeDatabase> => {
  const sockets = new Set<Socket>();
  const signIns: ('encrypted' | 'plain')[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (greeting) socket.write(greeting);
    socket.once('data', (bytes) => {
      socket.pause();
      if (!bytes.subarray(0, 4).equals(request.head)) {
        signIns.push('plain');
        socket.end(refusal(false));
        return;
      }
      // The first of the handshake may have come with it.
      socket.unshift(bytes.subarray(request.length));
      if (request.yes !== '') socket.write(request.yes);
      const encrypted = new TLSSocket(socket, { isServer: true, cert, key });
      encrypted.on('error', () => undefined);
      encrypted.once('data', () => {
        signIns.push('encrypted');
        encrypted.end(refusal(true));
      });
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  servers.push({ server, sockets });
  return { port: (server.address() as AddressInfo).port, signIns };
};

describe.each(['postgresql', 'mysql'])('an encrypted connection to a database (%s)', (scheme) => {
  const probe = async (port: number, host: string, settings: object): Promise<unknown> => {
    const controller = makeRadiusSql({
      ...someControllerDeps(),
      name: 'radius',
      settings: { url: `${scheme}://${host}:${String(port)}/radius`, ...settings },
      credentials: { username: 'radius', password: 'geheim' },
    });
    const error: unknown = await controller.probe().catch((thrown: unknown) => thrown);
    await controller.close();
    return error;
  };

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', 'localhost'],
  ])('is trusted at %s with a certificate for %s', async (host, name) => {
    const certificate = await makeCertificate('db', { names: [name] });
    const { port, signIns } = await startFake(protocols[scheme]!, certificate, host);
    expect(await probe(port, host, { ca: certificate.cert })).toMatchObject({ code: 'credentials' });
    expect(signIns).toEqual(['encrypted']);
  });

  test.each([
    ['127.0.0.1', 'localhost'],
    ['localhost', '127.0.0.1'],
  ])('is not trusted at %s with a certificate for %s: the password is not sent', async (host, name) => {
    const certificate = await makeCertificate('db', { names: [name] });
    const { port, signIns } = await startFake(protocols[scheme]!, certificate, host);
    expect(await probe(port, host, { ca: certificate.cert })).toMatchObject({
      failure: { kind: 'unreachable', reason: 'tls' },
    });
    expect(signIns).toEqual([]);
  });

  test.each([
    ['of another CA', async () => ({ ca: (await sharedCertificate()).cert })],
    ['that the system does not trust', () => Promise.resolve({ tls: 'system' })],
  ])('is not trusted with a certificate %s', async (_, settings) => {
    const certificate = await makeCertificate('db');
    const { port, signIns } = await startFake(protocols[scheme]!, certificate, '127.0.0.1');
    expect(await probe(port, '127.0.0.1', await settings())).toMatchObject({
      failure: { kind: 'unreachable', reason: 'tls' },
    });
    expect(signIns).toEqual([]);
  });

  test('is none where it is switched off', async () => {
    const { port, signIns } = await startFake(protocols[scheme]!, await sharedCertificate(), '127.0.0.1');
    expect(await probe(port, '127.0.0.1', { tls: 'off' })).toMatchObject({ code: 'credentials' });
    expect(signIns).toEqual(['plain']);
  });
});
