import { EventEmitter } from 'node:events';
import { beforeAll, expect, test } from '@jest/globals';
import { expectOneLine, run } from '../../support/cli.js';
import { makeCliFixture } from '../../support/cliFixture.js';
import { forAllTests } from '../../support/fixture.js';
import { addSite, someRecord, someVoucher } from '../../support/records.js';

const cli = forAllTests(() => makeCliFixture({ RETAIN_VOUCHERS_DAYS: '30' }), 'remove');
beforeAll(async () => {
  const place = await addSite(cli.tables);
  for (const expiresAt of [1, 2, null])
    await cli.tables.vouchers.record(
      someRecord(place, {
        voucher: someVoucher({ status: expiresAt === null ? 'valid' : 'expired', expiresAt, createdAt: 1 }),
      }),
    );
});

const vouchers = async () => (await cli.database.read('vouchers').pluck('id')).length;

test('--dry-run says how many rows of each kind would go, and removes none', async () => {
  const { status, out, err } = await cli.voucherd('retention', 'run', '--dry-run');
  expect([status, err]).toEqual([0, '']);
  expect(out).toMatch(
    /^records {5}kept for +would go {2}set with\nvouchers {4}30 days +2 +RETAIN_VOUCHERS_DAYS\n/,
  );
  expect(out).toMatch(/^audit +400 days +0 +AUDIT_DAYS$/m);
  expect(await vouchers()).toBe(3);
});

test('what is kept for good is said to be', async () => {
  const kept = await makeCliFixture();
  const { out } = await kept.voucherd('retention', 'run');
  expect(out).toMatch(/^vouchers +good +- +RETAIN_VOUCHERS_DAYS$/m);
  await kept.remove();
});

test('while another process removes, it says so and removes nothing', async () => {
  await cli.tables.leases.acquire(['retention'], 'another', 60_000);
  expectOneLine(await cli.voucherd('retention', 'run'), 'another process removes old records just now');
  await cli.tables.leases.release(['retention'], 'another');
  expect(await vouchers()).toBe(3);
});

test('a wrong setting is refused, and nothing is removed', async () => {
  const wrong = await makeCliFixture({ RETAIN_VOUCHERS_DAYS: '30d' });
  expectOneLine(await wrong.voucherd('retention', 'run'), 'RETAIN_VOUCHERS_DAYS: "30d" is not allowed');
  await wrong.remove();
});

test('a signal ends it with 130 and what was removed so far, and the next run is not held up', async () => {
  const signals = new EventEmitter();
  signals.on('newListener', (name) => {
    if (name === 'SIGINT') queueMicrotask(() => signals.emit('SIGINT'));
  });
  const env = { DATA_DIR: cli.dataDir, RETAIN_VOUCHERS_DAYS: '30' };
  const { status, out, err } = await run(['retention', 'run'], env, signals);
  expect(status).toBe(130);
  expect(out).toMatch(/^vouchers +30 days +0 +RETAIN_VOUCHERS_DAYS$/m);
  expect(err).toBe('voucherd: interrupted: what is left goes with the next run\n');
  expect(signals.listenerCount('SIGINT')).toBe(0);
});

test('it removes what is due, prints JSON if asked to, and is recorded as done from the command line', async () => {
  const { status, out } = await cli.voucherd('retention', 'run', '--json');
  expect(status).toBe(0);
  const { dryRun, records } = JSON.parse(out) as { dryRun: boolean; records: unknown[] };
  expect(dryRun).toBe(false);
  expect(records).toContainEqual({ kind: 'vouchers', days: 30, setting: 'RETAIN_VOUCHERS_DAYS', rows: 2 });
  expect(await vouchers()).toBe(1);
  expect(await cli.tables.auditLog.newest({}, undefined, 1)).toMatchObject([
    { action: 'retention.run', actorKind: 'command line', detail: { vouchers: 2 } },
  ]);
});
