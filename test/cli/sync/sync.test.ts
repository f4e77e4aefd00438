import { beforeAll, describe, expect, test } from '@jest/globals';
import { startUnifiConsole } from '../../../simulators/unifi/console.js';
import { counted } from '../../../src/cli/io.js';
import { withApi } from '../../support/api.js';
import { expectOneLine, program, run } from '../../support/cli.js';
import { forAllTests } from '../../support/fixture.js';
import { controllerOf } from '../../support/serviceInternals.js';
import { until } from '../../support/until.js';
import { addConsole, consoleKinds, makeVoucherClient } from '../../vouchers/consoleFixtures.js';

/** A service that has the leases of all controllers, and does nothing for an hour after its first pass. */
const api = withApi({ env: { SYNC_INTERVAL_S: '3600' }, site: false });
let client: Awaited<ReturnType<typeof makeVoucherClient>>;
beforeAll(async () => {
  client = await makeVoucherClient(api);
});
const sync = (...argv: string[]) => run(['sync', ...argv], { DATA_DIR: api.dataDir });
const nameOf = async (id: number) =>
  (await api.tables.controllers.all()).find((one) => one.id === id)?.name ?? '';

test('without anything to compare it says what to do', async () => {
  expect(await sync()).toEqual({
    status: 0,
    out: '',
    err: `nothing to compare: ${program} site add --name N --controller C\n`,
  });
  expect(await sync('--json')).toEqual({ status: 0, out: '[]\n', err: '' });
});

describe.each(consoleKinds)('a controller of the kind %s, whose lease a running service has', (kind) => {
  let siteId: number;
  let name: string;
  const lease = async () =>
    api.database
      .read('leases')
      .where({ name: `sync:${String(await controllerOf(api, siteId))}` })
      .first<{ owner: string } | undefined>('owner');
  const unifi = forAllTests(() => startUnifiConsole({ loginLimit: 1000 }), 'stop');
  beforeAll(async () => {
    [siteId] = (await addConsole(api, unifi, kind)) as [number];
    name = await nameOf(await controllerOf(api, siteId));
    await until('the service has its lease', async () => (await lease()) !== undefined);
    await api.app.sync();
  });

  test('is compared now, and what changed is said', async () => {
    const codes = [await client.order(siteId), await client.order(siteId), await client.order(siteId)];
    unifi.use(codes[0]!);
    unifi.remove(codes[1]!);
    const owner = await lease();
    expect(await sync(name)).toEqual({
      status: 0,
      out: expect.stringMatching(/^ok {4}console \w+ +1 voucher changed, 1 gone\n$/),
      err: '',
    });
    const statuses = new Map((await client.list(siteId)).map((one) => [one.voucher_code, one.status]));
    expect(codes.map((code) => statuses.get(code))).toEqual(['used', 'expired', 'valid']);
    expect(await lease()).toEqual(owner);
    expect(JSON.parse((await sync(name, '--json')).out)).toEqual([
      { controller: name, ok: true, changed: 0, gone: 0, failures: [] },
    ]);
  });

  test('that fails is named with what to do, and the others are compared all the same', async () => {
    const other = await api.addSite();
    unifi.fault({ kind: 'bad-gateway', on: 'all' });
    const { status, out, err } = await sync('--json');
    unifi.fault(undefined);
    const synced = JSON.parse(out) as { controller: string; ok: boolean; failures: unknown[] }[];
    const failed = synced.filter(({ ok }) => !ok).length;
    expect(status).toBe(1);
    expect(JSON.parse(err)).toMatchObject({
      error: { message: `${String(failed)} of ${counted(synced.length, 'controller')} not synced` },
    });
    expect(synced.find(({ controller }) => controller === name)).toEqual({
      controller: name,
      ok: false,
      changed: 0,
      gone: 0,
      failures: [
        { controllerSites: ['default'], message: expect.any(String), remedy: expect.stringMatching(/./) },
      ],
    });
    const otherName = await nameOf(await controllerOf(api, other));
    expect(synced.find(({ controller }) => controller === otherName)).toMatchObject({ ok: true });
  });
});

test('a site that its controller does not know is named', async () => {
  const unifi = await startUnifiConsole({ loginLimit: 1000 });
  try {
    const [, siteId = 0] = await addConsole(api, unifi, 'unifi-classic', ['default', 'gone']);
    const name = await nameOf(await controllerOf(api, siteId));
    const { status, out } = await sync(name);
    expect(status).toBe(1);
    expect(out).toMatch(
      new RegExp(`^FAIL  ${name} +site ${String(siteId)} Haus 2 \\(gone\\): it has no `, 'm'),
    );
  } finally {
    await unifi.stop();
  }
});

test('a controller that is not there, or has no site, gives one clear line', async () => {
  expectOneLine(await sync('Toaster'), `voucherd: there is no controller named "Toaster": see ${program}`);
  await run(['controller', 'add', '--name', 'Leer', '--kind', 'simulated'], { DATA_DIR: api.dataDir });
  expectOneLine(
    await sync('Leer'),
    `voucherd: Leer has no site, so no vouchers: ${program} site add --name N --controller "Leer"\n`,
  );
});
