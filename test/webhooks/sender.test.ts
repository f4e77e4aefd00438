import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  respondWith,
  behaviours,
  respondDiscordThrottled,
  respondRedirect,
  startWebhookTarget,
  respondThrottled,
  type WebhookTarget,
} from '../../simulators/webhookTarget.js';
import { makeWebhookSender, sendTimeoutMs, type WebhookSender } from '../../src/webhooks/sender.js';
import { makeSsrfGuard, type ResolveHost } from '../../src/ssrf/ssrfGuard.js';
import { until } from '../support/until.js';

const loopback = ['127.0.0.1'];
const message = {
  headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
  body: '{"text":"ä"}',
};
const path = '/services/T0/geheim?token=geheim';

let target: WebhookTarget;
let post: WebhookSender;

beforeEach(async () => {
  target = await startWebhookTarget();
  post = makeWebhookSender({ guard: makeSsrfGuard(loopback), timeoutMs: sendTimeoutMs });
});
afterEach(async () => {
  await post.close();
  await target.stop();
});

const send = (by = post) => by.send(target.url + path, message);

test('a message is sent as it is, with no headers but those that HTTP needs', async () => {
  await send();
  expect(target.requests).toMatchObject([{ method: 'POST', path, body: message.body }]);
  expect(target.requests[0]!.headers).toEqual({
    ...message.headers,
    'user-agent': 'voucherd',
    'content-length': '13',
    connection: 'keep-alive',
    host: `127.0.0.1:${target.port}`,
  });
});

describe('every answer is returned', () => {
  test.each([
    ['ok', behaviours.ok, 200, 'ok'],
    ['204', behaviours.noContent, 204, ''],
    ['202', behaviours.accepted, 202, ''],
    ['the message of Discord', behaviours.discordMessage, 200, /"channel_id"/],
    ['the message of Google Chat', behaviours.googleMessage, 200, /"spaces\//],
    ['429', respondThrottled(), 429, 'rate_limited'],
    ['the 429 of Discord', respondDiscordThrottled(64.57), 429, /"retry_after":64.57/],
    ['the 200 of Teams that means 429', behaviours.teamsThrottled, 200, /HTTP error 429/],
    ['410', behaviours.gone, 410, 'channel_is_archived'],
    ['503', behaviours.unavailable, 503, 'unavailable'],
    ['400', respondWith(400, { message: 'Invalid Form Body', code: 50035 }), 400, /50035/],
    ['a late one', { ...behaviours.slow, afterMs: 1 }, 200, 'ok'],
  ])('%s', async (_name, behaviour, status, body) => {
    target.behave(behaviour);
    const got = await send();
    expect(got.status).toBe(status);
    if (typeof body === 'string') expect(got.body).toBe(body);
    else expect(got.body).toMatch(body);
    expect(target.requests).toHaveLength(1);
  });

  test('with its headers', async () => {
    target.behave([respondThrottled(30), respondThrottled()]);
    expect((await send()).headers).toMatchObject({ 'retry-after': '30', 'content-type': 'text/plain' });
    expect((await send()).headers).not.toHaveProperty('retry-after');
  });
});

test.each([301, 302, 303, 307, 308])('a redirect with %d is an answer and not followed', async (status) => {
  const other = await startWebhookTarget();
  target.behave(respondRedirect(`${other.url}/geheim`, status));
  expect(await send()).toMatchObject({ status, headers: { location: `${other.url}/geheim` } });
  expect([target.requests.length, other.connections().ever]).toEqual([1, 0]);
  await other.stop();
});

test('cookies are not kept', async () => {
  target.behave(respondWith(200, 'ok', { 'set-cookie': 'id=1; Path=/' }));
  await send();
  await send();
  expect(target.requests[1]!.headers).not.toHaveProperty('cookie');
});

test('a connection is used again, and closed at the end', async () => {
  for (let i = 0; i < 3; i += 1) await send();
  expect(target.connections()).toEqual({ open: 1, ever: 1 });
  await post.close();
  await until('the connection is closed', () => target.connections().open === 0);
});

describe('of a body', () => {
  test('that never ends the beginning is read, and the connection dropped', async () => {
    target.behave(behaviours.endless);
    const { status, body } = await send();
    expect(status).toBe(200);
    expect(body).toMatch(/^ok\.+$/);
    expect(body).toHaveLength(4096);
    await until('the connection is closed', () => target.connections().open === 0);
  });

  test('that fits exactly everything is read, and the connection kept', async () => {
    target.behave(respondWith(200, 'x'.repeat(4096)));
    expect((await send()).body).toBe('x'.repeat(4096));
    await send();
    expect(target.connections().ever).toBe(1);
  });

  test('a character that the limit cuts is left out', async () => {
    target.behave(respondWith(200, `${'x'.repeat(4095)}ä`));
    expect((await send()).body).toBe('x'.repeat(4095));
  });

  test('that breaks off what has come is read: the head has said that the message arrived', async () => {
    target.behave(behaviours.brokenOff);
    expect(await send()).toMatchObject({ status: 200, body: 'ok' });
  });
});

describe('a name', () => {
  const answering =
    (...answers: string[]): ResolveHost =>
    (_name, _options, callback) =>
      callback(null, [{ address: answers.shift() ?? '127.0.0.1', family: 4 }]);
  const postTo = (resolve: ResolveHost) =>
    makeWebhookSender({ guard: makeSsrfGuard(loopback, resolve), timeoutMs: sendTimeoutMs });
  const address = () => `http://hooks.example.org:${target.port}${path}`;

  test('is reached at the address that was checked, however its next one would be', async () => {
    const rebinding = postTo(answering('127.0.0.1', '10.0.0.1'));
    expect(await rebinding.send(address(), message)).toMatchObject({ status: 200 });
    expect(target.requests[0]!.headers.host).toBe(`hooks.example.org:${target.port}`);
    // The connection is kept, and with it the address that was checked.
    expect(await rebinding.send(address(), message)).toMatchObject({ status: 200 });
    await rebinding.close();
    await until('the connection is closed', () => target.connections().open === 0);
    await expect(rebinding.send(address(), message)).rejects.toMatchObject({
      message: expect.stringMatching(/^hooks\.example\.org resolves to 10\.0\.0\.1, a private address/),
      permanent: false,
    });
    expect(target.requests).toHaveLength(2);
  });

  test('with a forbidden address among its others is not connected to', async () => {
    const mixed = postTo((_name, _options, callback) =>
      callback(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]),
    );
    await expect(mixed.send(address(), message)).rejects.toMatchObject({ permanent: false });
    expect(target.connections().ever).toBe(0);
    await mixed.close();
  });
});
