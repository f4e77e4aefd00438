import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { behaviours, startWebhookTarget, type WebhookTarget } from '../../simulators/webhookTarget.js';
import { makeWebhookSender, sendTimeoutMs } from '../../src/webhooks/sender.js';
import { makeSsrfGuard, type ResolveHost } from '../../src/ssrf/ssrfGuard.js';
import { until } from '../support/until.js';

const message = { headers: {}, body: '{}' };

let target: WebhookTarget;

beforeEach(async () => {
  target = await startWebhookTarget();
  // Only the deadline waits on `setTimeout`; it passes when a test says so, however slow the machine is.
  jest.useFakeTimers({
    doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setInterval'],
  });
});
afterEach(async () => {
  jest.useRealTimers();
  await target.stop();
});

const makeLocalPost = (resolve?: ResolveHost) =>
  makeWebhookSender({ guard: makeSsrfGuard(['127.0.0.1'], resolve), timeoutMs: sendTimeoutMs });

test('no answer within the deadline', async () => {
  target.behave(behaviours.hang);
  const { send, close } = makeLocalPost();
  const posting = expect(send(target.url, message)).rejects.toMatchObject({
    name: 'SendError',
    message: 'no answer within 15 s',
    permanent: false,
  });
  await until('the message has arrived', () => target.requests.length === 1);
  await jest.advanceTimersByTimeAsync(15_001);
  await posting;
  await until('the connection is closed', () => target.connections().open === 0);
  await close();
});

test('the deadline is what it is set to', async () => {
  target.behave(behaviours.hang);
  const { send, close } = makeWebhookSender({ guard: makeSsrfGuard(['127.0.0.1']), timeoutMs: 500 });
  const posting = expect(send(target.url, message)).rejects.toThrow('no answer within 0.5 s');
  await until('the message has arrived', () => target.requests.length === 1);
  await jest.advanceTimersByTimeAsync(501);
  await posting;
  await close();
});

test.each(['http', 'https'])('an %s connection that says nothing fails with the deadline', async (scheme) => {
  const sockets: Socket[] = [];
  const mute = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
  await once(mute.listen(0, '127.0.0.1'), 'listening');
  const { send, close } = makeLocalPost();
  const address = `${scheme}://127.0.0.1:${(mute.address() as AddressInfo).port}`;
  const posting = expect(send(address, message)).rejects.toThrow('no answer within 15 s');
  await until('the connection is open', () => sockets.length === 1);
  await jest.advanceTimersByTimeAsync(15_001);
  await posting;
  for (const socket of sockets) socket.destroy();
  await once(mute.close(), 'close');
  await close();
});

test('a resolver without an answer fails with the deadline', async () => {
  const asked: string[] = [];
  const { send, close } = makeLocalPost((name) => asked.push(name));
  const posting = expect(send('http://hooks.example.org', message)).rejects.toThrow('no answer within 15 s');
  await until('the resolver was asked', () => asked.length === 1);
  await jest.advanceTimersByTimeAsync(15_001);
  await posting;
  await close();
});

test('of a body that stops coming, what has come until the deadline is the answer', async () => {
  let heads = 0;
  const onHead = (): number => (heads += 1);
  subscribe('http.client.response.finish', onHead);
  target.behave(behaviours.silent);
  const { send, close } = makeLocalPost();
  const posting = send(target.url, message);
  await until('the head of the answer has arrived', () => heads === 1);
  await jest.advanceTimersByTimeAsync(15_001);
  expect(await posting).toMatchObject({ status: 200, body: 'ok' });
  await until('the connection is closed', () => target.connections().open === 0);
  unsubscribe('http.client.response.finish', onHead);
  await close();
});
