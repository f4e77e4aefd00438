import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { behaviours, startWebhookTarget, type WebhookTarget } from '../../simulators/webhookTarget.js';
import { makeWebhookSender, SendError, sendTimeoutMs } from '../../src/webhooks/sender.js';
import { makeSsrfGuard, type ResolveHost } from '../../src/ssrf/ssrfGuard.js';
import { until } from '../support/until.js';

const message = { headers: { 'webhook-signature': 'v1,geheim' }, body: 'geheim' };
const path = '/geheim/T0?token=geheim';

let target: WebhookTarget;

/** The failure of a post. Nothing of it, however deep, may tell a secret. */
const failed = async (address: string, resolve?: ResolveHost): Promise<SendError> => {
  const { send, close } = makeWebhookSender({
    guard: makeSsrfGuard(['127.0.0.1'], resolve),
    timeoutMs: sendTimeoutMs,
  });
  const failure: unknown = await send(address, message).then(
    () => undefined,
    (error: unknown) => error,
  );
  await close();
  expect(failure).toBeInstanceOf(SendError);
  expect(inspect(failure, { depth: Infinity, showHidden: true })).not.toMatch(/geheim/);
  return failure as SendError;
};

beforeEach(async () => {
  target = await startWebhookTarget();
});
afterEach(async () => {
  await target.stop();
});

test.each(['resetBeforeBody', 'resetAfterBody'] as const)(
  '%s: connection reset, and no second try',
  async (how) => {
    target.behave(behaviours[how]);
    expect(await failed(target.url + path)).toMatchObject({ message: 'connection reset', permanent: false });
    expect(target.requests).toHaveLength(1);
  },
);

test('nobody listens: connection refused', async () => {
  const gone = await startWebhookTarget();
  await gone.stop();
  expect(await failed(gone.url + path)).toMatchObject({ message: 'connection refused', permanent: false });
});

test('nobody listens on any of several addresses: connection refused', async () => {
  const gone = await startWebhookTarget();
  await gone.stop();
  const local = { address: '127.0.0.1', family: 4 };
  const resolve: ResolveHost = (_name, _options, callback) => callback(null, [local, local]);
  const failure = await failed(`http://hooks.example.org:${gone.port}${path}`, resolve);
  expect(failure).toMatchObject({ message: 'connection refused', permanent: false });
});

test.each([
  ['ENOTFOUND', 'name not found'],
  ['EAI_AGAIN', 'name server without an answer'],
  ['EHOSTUNREACH', 'host not reachable'],
  ['ETIMEDOUT', 'no connection'],
  ['EGEHEIM', 'request failed'],
])('%s: %s', async (code, reason) => {
  const error = Object.assign(new Error(`${code} geheim`), { code });
  const resolve: ResolveHost = (_name, _options, callback) => callback(error, []);
  expect(await failed(`http://hooks.example.org${path}`, resolve)).toMatchObject({
    message: reason,
    permanent: false,
  });
});

test('an answer that is not HTTP', async () => {
  const odd = createServer((socket) =>
    socket
      .on('error', () => undefined)
      .resume()
      .end('220 mail.example.org ESMTP\r\n'),
  );
  await once(odd.listen(0, '127.0.0.1'), 'listening');
  const { port } = odd.address() as AddressInfo;
  expect((await failed(`http://127.0.0.1:${port}${path}`)).message).toBe('the answer is not HTTP');
  await once(odd.close(), 'close');
});

test('plain HTTP where TLS is expected', async () => {
  const { message: reason } = await failed(target.url.replace('http:', 'https:') + path);
  expect(reason).toMatch(/^TLS failed: [A-Z0-9_]+$/);
});

describe('an address that the guard refuses fails for good and without a connection', () => {
  test.each([
    ['http://127.0.0.2', '127.0.0.2 is a loopback address'],
    ['http://0x7f000002', '127.0.0.2 is a loopback address'],
    ['http://2130706434', '127.0.0.2 is a loopback address'],
    ['http://[::1]', '::1 is a loopback address'],
    ['http://169.254.169.254', '169.254.169.254 is a link-local address'],
    ['https://10.0.0.1', '10.0.0.1 is a private address'],
    ['ftp://hooks.example.org', 'only https:// and http:// are allowed'],
    ['https://geheim:geheim@hooks.example.org', 'a user name or password in the address is not allowed'],
    ['geheim', 'not an address of the form https://host/path'],
  ])('%s', async (start, reason) => {
    const failure = await failed(start + path);
    expect(failure.permanent).toBe(true);
    expect(failure.message.startsWith(reason)).toBe(true);
  });

  test('a name that resolves to one', async () => {
    const resolve: ResolveHost = (_name, _options, callback) =>
      callback(null, [{ address: '169.254.169.254', family: 4 }]);
    expect(await failed(`http://hooks.example.org${path}`, resolve)).toMatchObject({
      message:
        'hooks.example.org resolves to 169.254.169.254, a link-local address; list it in WEBHOOK_ALLOW_PRIVATE to allow it',
      permanent: false,
    });
  });
});

test('a socket of the file system is no target', async () => {
  const failure = await failed('http://unix:/var/run/geheim.sock:/geheim', () => undefined);
  expect(failure.message).toBe('request failed');
});

test('closing aborts messages in flight', async () => {
  target.behave(behaviours.hang);
  const post = makeWebhookSender({ guard: makeSsrfGuard(['127.0.0.1']), timeoutMs: sendTimeoutMs });
  const posting = expect(post.send(target.url + path, message)).rejects.toThrow('connection reset');
  await until('the message has arrived', () => target.requests.length === 1);
  await post.close();
  await posting;
});
