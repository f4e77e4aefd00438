import { describe, expect, test } from '@jest/globals';
import { expectOneLine, program } from '../../support/cli.js';
import { makeConsoleCliFixture } from '../../support/consoleCliFixture.js';
import { startService } from '../../support/service.js';

test('a running service copes with a controller that is removed, and still lists its vouchers', async () => {
  const cli = await makeConsoleCliFixture();
  const service = await startService({ dataDir: cli.dataDir });
  try {
    await cli.add('Konsole', 'unifi');
    const id = (await cli.voucherd('site', 'add', '--name', 'Haus', '--controller', 'Konsole')).out.trim();
    const key = await service.addKey();
    const order = () => service.post('/vouchers.php', { site_id: Number(id), name: 'Berger' }, { key });
    expect((await order()).status).toBe(201);
    await cli.voucherd('site', 'deactivate', id);
    expect((await cli.voucherd('controller', 'remove', 'Konsole')).status).toBe(0);
    expect((await order()).status).toBe(404);
    expect((await service.get('/sites.php', { key })).body).toEqual({ sites: [] });
    const listed = await service.get(`/vouchers.php?site_id=${id}`, { key });
    expect(listed.body).toMatchObject({ vouchers: [{ voucher_name: expect.stringMatching(/_Berger$/) }] });
    // The console itself keeps what it made.
    expect(cli.unifi.vouchers()).toHaveLength(1);
    expect(await cli.database.read('controllers').pluck('sealed_credentials')).toEqual([null]);
  } finally {
    await service.stop();
    await cli.remove();
  }
});

describe('a controller that can never be reached again, with orders whose outcome is not known', () => {
  const idempotencyKey = { 'Idempotency-Key': 'a' };

  test.each([[[]], [['--json']]])(
    'is removed only with --force, which gives the orders up and frees their keys: %j',
    async (json) => {
      const cli = await makeConsoleCliFixture();
      const service = await startService({ dataDir: cli.dataDir });
      const remove = (...options: string[]) =>
        cli.voucherd('controller', 'remove', 'Konsole', ...options, ...json);
      try {
        await cli.add('Konsole', 'unifi');
        const id = (
          await cli.voucherd('site', 'add', '--name', 'Haus', '--controller', 'Konsole')
        ).out.trim();
        const key = await service.addKey();
        const order = (headers: Record<string, string> = {}) =>
          service.post('/vouchers.php', { site_id: Number(id), name: 'Berger' }, { key, headers });
        expect((await order()).status).toBe(201);
        cli.unifi.fault({ kind: 'reset-after' });
        expect([(await order(idempotencyKey)).status, (await order()).status]).toEqual([500, 500]);
        await cli.unifi.stop();

        expectOneLine(await remove('--force'), `first: ${program} site deactivate ${id}`);
        await cli.voucherd('site', 'deactivate', id);
        expectOneLine(
          await remove(),
          new RegExp(
            `Konsole is needed: the outcome of 2 orders .* ${program} controller remove \\W+Konsole\\W+ --force`,
          ),
        );
        expect(await cli.tables.intents.all()).toHaveLength(2);
        expect((await order(idempotencyKey)).status).toBe(409);

        const { status, out, err } = await remove('--force');
        expect([status, err]).toEqual([0, '']);
        if (json.length > 0)
          expect(JSON.parse(out)).toMatchObject({ removed: true, sites: [Number(id)], givenUp: 2 });
        else
          expect(out).toBe(
            `removed Konsole; the vouchers of its inactive sites stay in the records: ${id} Haus (inactive)\n` +
              'open orders given up: 2; vouchers that the controller may have created for them are not recorded\n',
          );
        expect(await cli.tables.intents.all()).toEqual([]);
        expect(await cli.tables.controllers.all()).toEqual([]);
        // Its key is free: the order is a new one, on a site that is not active.
        expect((await order(idempotencyKey)).status).toBe(404);
        const listed = await service.get(`/vouchers.php?site_id=${id}`, { key });
        expect(listed.body).toMatchObject({ vouchers: { length: 1 } });
      } finally {
        await service.stop();
        await cli.remove();
      }
    },
  );
});

test('--force changes nothing for a controller without open orders', async () => {
  const cli = await makeConsoleCliFixture();
  try {
    await cli.add('Konsole', 'unifi');
    expect(await cli.voucherd('controller', 'remove', 'Konsole', '--force')).toEqual({
      status: 0,
      out: 'removed Konsole\n',
      err: '',
    });
  } finally {
    await cli.remove();
  }
});
