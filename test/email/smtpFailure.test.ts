import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MailError } from '../../src/email/mailError.js';
import { makeMailSender, mailTimeouts } from '../../src/email/mailSender.js';
import { makeCertificate, type Certificate } from '../../simulators/certificate.js';

const dayMs = 86_400_000;
let certificate: Certificate;
let expired: Certificate;
let early: Certificate;
beforeAll(async () => {
  const now = Date.now();
  [certificate, expired, early] = await Promise.all([
    makeCertificate('mail'),
    makeCertificate('mail', {
      notAfterDate: new Date(now - dayMs),
      notBeforeDate: new Date(now - 9 * dayMs),
    }),
    makeCertificate('mail', {
      notBeforeDate: new Date(now + dayMs),
      notAfterDate: new Date(now + 9 * dayMs),
    }),
  ]);
});

const servers = new Set<Server>();
const sockets = new Set<Socket>();
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
});

const listen = async (server: Server): Promise<number> => {
  servers.add(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  });
  // All addresses of this machine: a certificate is for one of them.
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  return (server.address() as AddressInfo).port;
};

/** A mail server that answers as it is told: by command, with `greeting` before any, and `handshake` for that of TLS. */
const startScripted = (answers: Readonly<Record<string, string | undefined>>): Promise<number> =>
  listen(
    createServer((socket) => {
      const { greeting } = answers;
      if (greeting !== undefined) socket.write(`${greeting}\r\n`);
      socket.on('data', (bytes) => {
        const isHandshake = bytes[0] === 0x16;
        const command = isHandshake ? 'handshake' : (bytes.toString('latin1').split(/[ \r]/)[0] ?? '');
        const answer = answers[command];
        if (answer !== undefined) socket.write(`${answer}\r\n`);
      });
    }),
  );

const startTls = ({ cert, key }: Certificate): Promise<number> => {
  const server = createTlsServer({ cert, key }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.write('220 mail ESMTP\r\n');
  });
  server.on('tlsClientError', () => undefined);
  return listen(server);
};

const trusting = ({ cert }: Certificate): string => `?tls.ca=${encodeURIComponent(cert)}`;

const failureOf = async (smtpUrl: string, greetingMs = mailTimeouts.greetingMs): Promise<MailError> => {
  const config = { smtpUrl, from: 'Hotel <wifi@example.org>' };
  const email = { id: 'x', to: 'gast@example.org', subject: 's', text: 't', html: 'h' };
  const sent = makeMailSender(config, { ...mailTimeouts, greetingMs }).send(
    email,
    new AbortController().signal,
  );
  const error: unknown = await sent.catch((failed: unknown) => failed);
  if (error instanceof MailError) return error;
  throw new Error('it did not fail as it should', { cause: error });
};

test.each([
  ['does not know the command', '500 command not recognized'],
  ['does not have it', '502 5.5.1 not implemented'],
])(
  'a server without STARTTLS, which %s, is told by what to choose instead, and e-mails wait for that',
  async (_name, answer) => {
    const port = await startScripted({ greeting: '220 mail', EHLO: '250 mail', STARTTLS: answer });
    const error = await failureOf(`smtp://127.0.0.1:${String(port)}?requireTLS=true`);
    expect(error).toMatchObject({ reason: { code: 'no-starttls' }, failure: 'temporary' });
    expect(error.message).toBe(
      'the mail server does not offer STARTTLS: choose another encryption, such as TLS from the start with port 465',
    );
  },
);

test('a server that has no STARTTLS for a moment is quoted', async () => {
  const answer = '454 TLS not available due to temporary reason';
  const port = await startScripted({ greeting: '220 mail', EHLO: '250 mail', STARTTLS: answer });
  expect((await failureOf(`smtp://127.0.0.1:${String(port)}?requireTLS=true`)).reason).toEqual({
    code: 'answered',
    values: { answer },
  });
});

test('each fault of a certificate has its own reason', async () => {
  const of = async (made: Certificate, host: string, trust: string) =>
    (await failureOf(`smtps://${host}:${String(await startTls(made))}${trust}`)).reason.code;
  expect(await of(certificate, '127.0.0.1', '')).toBe('certificate-untrusted');
  expect(await of(certificate, '127.0.0.2', trusting(certificate))).toBe('certificate-name');
  expect(await of(expired, '127.0.0.1', trusting(expired))).toBe('certificate-expired');
  expect(await of(early, '127.0.0.1', trusting(early))).toBe('certificate-early');
});

test('a server that answers TLS with something else, or ends the connection, is named with the code', async () => {
  const plain = await startScripted({ greeting: '220 mail ESMTP' });
  expect((await failureOf(`smtps://127.0.0.1:${String(plain)}`)).reason.code).toBe('tls-failed');
  const garbage = await startScripted({
    greeting: '220 mail',
    EHLO: '250-mail\r\n250 STARTTLS',
    STARTTLS: '220 go',
    handshake: 'what is this?',
  });
  expect((await failureOf(`smtp://127.0.0.1:${String(garbage)}?requireTLS=true`)).reason.code).toBe(
    'tls-failed',
  );
  const ending = await listen(createServer((socket) => socket.once('data', () => socket.resetAndDestroy())));
  expect((await failureOf(`smtps://127.0.0.1:${String(ending)}`)).reason.code).toBe('tls-failed');
});

test('a server that is silent is told by what it has left out', async () => {
  const waitMs = 2000;
  const silent = await startScripted({});
  const halfway = await startScripted({
    greeting: '220 mail',
    EHLO: '250-mail\r\n250 STARTTLS',
    STARTTLS: '220 go',
  });
  const greeted = await startScripted({ greeting: '220 mail' });
  const codes = await Promise.all(
    [
      `smtps://127.0.0.1:${String(silent)}`,
      `smtp://127.0.0.1:${String(halfway)}?requireTLS=true`,
      `smtp://127.0.0.1:${String(silent)}`,
      `smtp://127.0.0.1:${String(greeted)}`,
    ].map(async (url) => (await failureOf(url, waitMs)).reason.code),
  );
  expect(codes).toEqual(['tls-silent', 'tls-silent', 'no-greeting', 'no-answer']);
});
