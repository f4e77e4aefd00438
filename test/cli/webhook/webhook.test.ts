import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectOneLine, program } from '../../support/cli.js';
import { makeCliFixture } from '../../support/cliFixture.js';
import { randomSecret } from '../../support/secretLeaks.js';
import { answered } from '../../support/deliveryReasons.js';
import { forAllTests } from '../../support/fixture.js';

const cli = forAllTests(makeCliFixture, 'remove');

const secretParts = [randomSecret(), randomSecret()];
const address = `https://hooks.example.org/${secretParts.join('/')}Ab3x`;
const voucherd = (...argv: string[]) => cli.voucherd('webhook', ...argv);
const webhook = async (name: string) =>
  (JSON.parse((await voucherd('list', '--json')).out) as Record<string, unknown>[]).find(
    (one) => one['name'] === name,
  );

describe('webhook list, while there is none', () => {
  test('says what to do on standard error', async () => {
    expect(await voucherd('list')).toEqual({
      status: 0,
      out: '',
      err: `no webhooks yet: ${program} webhook add --name N --format F\n`,
    });
  });
  test('with --json prints an empty list', async () => {
    expect(await voucherd('list', '--json')).toEqual({ status: 0, out: '[]\n', err: '' });
  });
});

describe('webhook list', () => {
  beforeAll(async () => {
    await cli.add('Chat', 'slack', address, '--language', 'en');
    await cli.add('Programm', 'generic', address);
    await cli.add('Fort', 'generic', address);
    const { id } = (await cli.tables.webhooks.all()).find(({ name }) => name === 'Fort')!;
    await cli.tables.webhooks.change(id, { active: false, reason: answered(410) });
  });

  test('shows name, format, language, masked address, counts and state', async () => {
    const { status, out, err } = await voucherd('list');
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^Chat +slack +en +https:\/\/hooks\.example\.org\/…Ab3x +no +0 +0 +active$/m);
    expect(out).toMatch(/^Programm +generic +de .* active$/m);
    expect(out).toMatch(/^Fort .* switched off: answered 410$/m);
  });

  test('with --json shows every field but what is secret', async () => {
    expect(await webhook('Fort')).toEqual({
      id: expect.any(Number),
      name: 'Fort',
      format: 'generic',
      reportsControllers: false,
      language: 'de',
      address: 'https://hooks.example.org/…Ab3x',
      active: false,
      reason: 'answered 410',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      waiting: 0,
      failed: 0,
      failing: null,
    });
  });

  test('counts the deliveries that wait and that failed', async () => {
    const { id } = (await webhook('Chat')) as { id: number };
    for (const at of [1, 2, 3, 4]) {
      const row = { id: `n${at}`, count: 1, site: 'Nord', source: 'API: x', created_at: at };
      await cli.database.write('notifications').insert(row);
    }
    await cli.tables.deliveries.dispatch(10);
    const [first, second] = await cli.tables.deliveries.newest({ webhookId: id }, 4);
    await cli.tables.outbox.settle(first!.id, 'failed', answered(404), 20);
    await cli.tables.outbox.settle(second!.id, 'sent', null, 20);
    expect(await webhook('Chat')).toMatchObject({ waiting: 2, failed: 1 });
    expect(await webhook('Programm')).toMatchObject({ waiting: 4, failed: 0 });
  });

  test('with another key still tells which webhooks there are', async () => {
    const SECRET_KEY = 'ab'.repeat(32);
    const other = await makeCliFixture({ DATABASE_URL: `sqlite:${cli.dataDir}/voucherd.sqlite`, SECRET_KEY });
    const { status, out } = await other.voucherd('webhook', 'list');
    expect(status).toBe(0);
    expect(out).toMatch(/^Chat +slack +en +\(sealed with another key\) /m);
    expectOneLine(
      await other.add('Neu', 'slack', address),
      'voucherd: webhook "Chat" was sealed with another key or for another address: use that key, or remove the webhook',
    );
    await other.remove();
  });
});

describe('webhook enable and disable', () => {
  test('switch a webhook on and off', async () => {
    expect((await voucherd('disable', 'Chat')).out).toBe('Chat is switched off\n');
    expect(await webhook('Chat')).toMatchObject({ active: false, reason: null });
    expect(JSON.parse((await voucherd('enable', 'Chat', '--json')).out)).toMatchObject({ active: true });
    expect(await webhook('Chat')).toMatchObject({ active: true });
  });

  test('enabling forgets why the target had switched it off', async () => {
    expect((await voucherd('enable', 'Fort')).out).toBe('Fort is active\n');
    expect(await webhook('Fort')).toMatchObject({ active: true, reason: null });
  });
});

describe('webhook rename', () => {
  test('gives a webhook another name', async () => {
    expect((await voucherd('rename', 'Chat', 'Empfang')).out).toBe('Empfang\n');
    expect(await webhook('Chat')).toBeUndefined();
    expect(JSON.parse((await voucherd('rename', 'Empfang', 'Chat', '--json')).out)).toEqual({
      id: expect.any(Number),
      name: 'Chat',
    });
  });

  test('to a name that is taken, or is none, changes nothing', async () => {
    expectOneLine(
      await voucherd('rename', 'Chat', 'Fort'),
      'voucherd: there is already a webhook named "Fort"',
    );
    expectOneLine(await voucherd('rename', 'Chat', ' '), 'voucherd: new-name: " " is not allowed');
    expectOneLine(await voucherd('rename', 'Niemand', 'Neu'), 'there is no webhook named "Niemand"');
    expect(await webhook('Chat')).toBeDefined();
  });
});

describe('webhook remove', () => {
  test('removes the webhook with its deliveries', async () => {
    expect((await voucherd('remove', 'Chat')).out).toBe('removed Chat\n');
    expect(await webhook('Chat')).toBeUndefined();
    expect(JSON.parse((await voucherd('remove', 'Fort', '--json')).out)).toMatchObject({ removed: true });
    expectOneLine(await voucherd('remove', 'Chat'), 'there is no webhook named "Chat"');
  });
});

test.each(['enable', 'disable', 'remove', 'rotate-secret', 'test', 'deliveries'])(
  'webhook %s of a name that nobody has gives one clear line',
  async (command) => {
    expectOneLine(
      await voucherd(command, 'Niemand'),
      `voucherd: there is no webhook named "Niemand": see ${program} webhook list`,
    );
  },
);

test('no address is ever printed, or readable in the database', async () => {
  expect(await cli.leaked(secretParts)).toEqual([]);
});
