import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectOneLine, program } from '../../support/cli.js';
import { makeCliFixture } from '../../support/cliFixture.js';
import { answered } from '../../support/deliveryReasons.js';
import { forAllTests } from '../../support/fixture.js';

const day = Date.parse('2026-11-14T09:30:00Z');
const list = (...options: string[]) => cli.voucherd('webhook', 'deliveries', ...options);
interface Row {
  id: number;
  webhook: string;
  state: string;
  notification: { id: string };
}
const rows = async (...options: string[]): Promise<Row[]> =>
  JSON.parse((await list(...options, '--json')).out) as Row[];

const cli = forAllTests(makeCliFixture, 'remove');

test('while there is none, says so on standard error', async () => {
  expect(await list()).toEqual({ status: 0, out: '', err: 'no such deliveries\n' });
});

describe('webhook deliveries', () => {
  beforeAll(async () => {
    await cli.add('Chat', 'slack', 'https://hooks.example.org/services/geheimePlatzhalter');
    await cli.add('Programm', 'generic', 'https://hooks.example.org/services/geheimePlatzhalter');
    for (const n of [1, 2, 3]) {
      const source = 'API: \u001b[31mBuchung';
      const row = { id: `n${n}`, count: n, site: 'Nord', source, created_at: day + n * 1000 };
      await cli.database.write('notifications').insert(row);
    }
    await cli.tables.deliveries.dispatch(day + 9000);
    for (const { id, webhook, notification } of await rows()) {
      if (webhook !== 'Chat') continue;
      if (notification.id === 'n1') await cli.tables.outbox.settle(id, 'sent', null, day);
      if (notification.id === 'n2') await cli.tables.outbox.settle(id, 'failed', answered(404), day);
    }
  });

  test('shows the newest first, and nothing that a terminal would obey', async () => {
    const { status, out } = await list('Chat');
    expect(status).toBe(0);
    expect(out.split('\n').slice(1, -1)).toEqual([
      expect.stringMatching(
        /^\d+ +Chat +waiting +0 +\S+ +2026-11-14T09:30:03Z +voucher\.created +3 +Nord +API: {1,2}\[31mBuchung +-$/,
      ),
      expect.stringMatching(
        /^\d+ +Chat +failed +1 +\S+ +2026-11-14T09:30:02Z +voucher\.created +2 .* answered 404$/,
      ),
      expect.stringMatching(/^\d+ +Chat +delivered +1 +\S+ +2026-11-14T09:30:01Z +voucher\.created +1 .* -$/),
    ]);
  });

  test('with --json shows every field', async () => {
    const [row] = await rows('Chat', '--state', 'failed');
    expect(row).toEqual({
      id: expect.any(Number),
      webhook: 'Chat',
      state: 'failed',
      tries: 1,
      at: '2026-11-14T09:30:00.000Z',
      reason: 'answered 404',
      notification: expect.objectContaining({ id: 'n2', count: 2, site: 'Nord' }),
    });
  });

  test('can be restricted to a webhook, a state and a number', async () => {
    expect(await rows()).toHaveLength(6);
    expect(await rows('Programm')).toHaveLength(3);
    expect(await rows('--state', 'waiting')).toHaveLength(4);
    expect(await rows('Chat', '--state', 'delivered')).toHaveLength(1);
    expect(await rows('--limit', '2')).toHaveLength(2);
  });

  test.each([
    [['--state', 'lost'], 'voucherd: --state: "lost" is not allowed: one of waiting, delivered, failed'],
    [['--limit', '0'], 'voucherd: --limit: "0" is not allowed: a whole number from 1 to 1000'],
  ])('%j is refused with one clear line', async (options, line) => {
    expectOneLine(await list(...options), line);
  });
});

describe('webhook resend', () => {
  test.each(['failed', 'delivered'])('lets a delivery that is %s be sent again', async (state) => {
    const [{ id }] = (await rows('Chat', '--state', state)) as [Row];
    expect((await cli.voucherd('webhook', 'resend', String(id))).out).toBe(
      `delivery ${id} waits to be sent\n`,
    );
    expect((await rows('Chat')).find((row) => row.id === id)).toMatchObject({
      state: 'waiting',
      tries: 0,
      reason: null,
    });
  });

  test('with --json prints its state', async () => {
    const [{ id }] = (await rows('Chat')) as [Row];
    expect(JSON.parse((await cli.voucherd('webhook', 'resend', String(id), '--json')).out)).toEqual({
      id,
      state: 'waiting',
    });
  });

  test.each([
    ['999', `voucherd: there is no delivery 999: see ${program} webhook deliveries`],
    ['x', 'voucherd: id: "x" is not allowed: a whole number from 1'],
  ])('of %s gives one clear line', async (id, line) => {
    expectOneLine(await cli.voucherd('webhook', 'resend', id), line);
  });
});

test('webhook list says which one is failing, and why', async () => {
  const [waiting] = (await rows('--state', 'waiting')).filter(({ webhook }) => webhook === 'Programm');
  for (const at of [day + 60_000, day + 120_000])
    await cli.tables.outbox.postpone(waiting?.id ?? 0, { reason: answered(503), at, holds: true });
  const { out } = await cli.voucherd('webhook', 'list');
  expect(out).toMatch(/^Programm .* failing, 2 attempts: answered 503$/m);
  expect(out).toMatch(/^Chat .* active$/m);
  const listed = JSON.parse((await cli.voucherd('webhook', 'list', '--json')).out) as { failing: unknown }[];
  expect(listed.map(({ failing }) => failing)).toEqual([
    null,
    expect.objectContaining({ reason: 'answered 503', tries: 2, nextAt: '2026-11-14T09:32:00.000Z' }),
  ]);
});
