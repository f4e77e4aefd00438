import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  behaviours,
  respondRedirect,
  respondWith,
  startWebhookTarget,
} from '../../../simulators/webhookTarget.js';
import { makeCliFixture } from '../../support/cliFixture.js';
import { forAllTests } from '../../support/fixture.js';
import { randomSecret } from '../../support/secretLeaks.js';

let secret: string;
const secretParts = [randomSecret(), randomSecret()];
const path = `/${secretParts.join('/')}`;
const send = (name: string, ...options: string[]) => cli.voucherd('webhook', 'test', name, ...options);
const last = () => target.requests.at(-1)!;

const target = forAllTests(startWebhookTarget, 'stop');
const cli = forAllTests(() => makeCliFixture({ WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' }), 'remove');
beforeAll(async () => {
  secret = (await cli.add('Programm', 'generic', target.url + path)).out.trim();
  for (const format of ['slack', 'mattermost', 'discord', 'teams', 'google-chat', 'php-tool'])
    await cli.add(format, format, target.url + path, '--language', 'en');
});
beforeEach(() => target.behave([]));

test('prints status, answer and verdict', async () => {
  expect(await send('slack')).toEqual({
    status: 0,
    out: 'status   200\nanswer   ok\nverdict  delivered\n',
    err: '',
  });
  expect(last()).toMatchObject({ method: 'POST', path });
});

test('with --json prints the same', async () => {
  target.behave(behaviours.noContent);
  expect(JSON.parse((await send('discord', '--json')).out)).toEqual({
    name: 'discord',
    delivered: true,
    status: 204,
    answer: '',
  });
});

test.each(['slack', 'mattermost', 'discord', 'teams', 'google-chat', 'php-tool'])(
  'the message to %s is marked as a test',
  async (format) => {
    await send(format);
    expect(last().body).toMatch(/test/i);
  },
);

test('the generic message is marked by its type, and verifies', async () => {
  expect((await send('Programm')).status).toBe(0);
  const { body, headers } = last();
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: 'webhook.test',
  });
});

test('a webhook that is switched off can be tested', async () => {
  await cli.voucherd('webhook', 'disable', 'teams');
  expect((await send('teams')).status).toBe(0);
});

test('after a rotation the message verifies with either secret', async () => {
  const rotated = await cli.voucherd('webhook', 'rotate-secret', 'Programm');
  expect(rotated).toMatchObject({ status: 0, err: '' });
  expect(rotated.out).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/);
  expect(rotated.out.trim()).not.toBe(secret);
  await send('Programm');
  const { body, headers } = last();
  for (const one of [secret, rotated.out.trim()])
    expect(new Webhook(one).verify(body, headers as Record<string, string>)).toBeDefined();
});

test('after a rotation without an overlap only the new secret verifies', async () => {
  const argv = ['webhook', 'rotate-secret', 'Programm', '--overlap-hours', '0', '--json'];
  const made = JSON.parse((await cli.voucherd(...argv)).out) as { secret: string };
  await send('Programm');
  const { body, headers } = last();
  expect(new Webhook(made.secret).verify(body, headers as Record<string, string>)).toBeDefined();
  expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).toThrow();
});

describe('what is not delivered ends with status 1 and one clear line', () => {
  test.each([
    ['Programm', behaviours.unavailable, '503', 'failed, worth another try', 'answered 503 (unavailable)'],
    ['Programm', behaviours.gone, '410', 'failed for good', 'answered 410'],
    ['slack', respondWith(404, 'no_service'), '404', 'failed for good', 'answered 404 (no_service)'],
    [
      'slack',
      respondRedirect('https://example.org/'),
      '302',
      'failed, worth another try',
      'answered 302, a redirect',
    ],
    ['discord', behaviours.throttled, '429', 'failed, worth another try', 'throttled (429)'],
  ])('%s: %j', async (name, behaviour, status, verdict, reason) => {
    target.behave(behaviour);
    const ended = await send(name);
    expect(ended).toMatchObject({ status: 1, err: `voucherd: ${name}: not delivered: ${reason}\n` });
    expect(ended.out).toMatch(new RegExp(`^status   ${status}\nanswer   .+\nverdict  ${verdict}\n$`));
  });

  test('a connection that breaks', async () => {
    target.behave(behaviours.resetAfterBody);
    expect(await send('slack')).toEqual({
      status: 1,
      out: '',
      err: 'voucherd: slack: not delivered: connection reset\n',
    });
  });

  test('with --json too', async () => {
    target.behave(respondWith(404, 'no_service'));
    const { status, out } = await send('slack', '--json');
    expect([status, JSON.parse(out)]).toMatchObject([
      1,
      { delivered: false, status: 404, answer: 'no_service' },
    ]);
  });

  test('an address that is not allowed any more', async () => {
    const settings = { DATABASE_URL: `sqlite:${cli.dataDir}/voucherd.sqlite`, DATA_DIR: cli.dataDir };
    const other = await makeCliFixture(settings);
    expect(await other.voucherd('webhook', 'test', 'slack')).toMatchObject({
      status: 1,
      err: expect.stringMatching(
        /slack: not delivered: 127\.0\.0\.1 is a loopback address; list it in WEBHOOK_/,
      ),
    });
    await other.remove();
  });
});

test('the answer is shown in part, on one line, and without the address it repeats', async () => {
  target.behave(respondWith(200, `\u001b[2JCannot POST ${path}\r\n${'x'.repeat(1000)}`));
  const { out } = await send('Programm');
  expect(out).toMatch(/^answer {3}\[2JCannot POST … x{150,200}$/m);
});

describe('webhook rotate-secret', () => {
  test('of a format that does not sign gives one clear line', async () => {
    expect(await cli.voucherd('webhook', 'rotate-secret', 'slack')).toEqual({
      status: 5,
      out: '',
      err: 'voucherd: slack has the format slack, which does not sign\n',
    });
  });

  test('with an overlap that is no number of hours gives one clear line', async () => {
    const argv = ['webhook', 'rotate-secret', 'Programm', '--overlap-hours', 'long'];
    expect(await cli.voucherd(...argv)).toMatchObject({
      status: 2,
      err: 'voucherd: --overlap-hours: "long" is not allowed: a whole number from 0 to 8760\n',
    });
  });
});

test('no address is ever printed, or readable in the database', async () => {
  expect(await cli.leaked(secretParts)).toEqual([]);
});
