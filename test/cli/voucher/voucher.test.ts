import { beforeAll, describe, expect, test } from '@jest/globals';
import { startUnifiConsole } from '../../../simulators/unifi/console.js';
import { formatCode } from '../../../src/vouchers/record.js';
import { withApi } from '../../support/api.js';
import { expectOneLine, program, run } from '../../support/cli.js';
import { forAllTests } from '../../support/fixture.js';
import { someRecord, someTime, someVoucher } from '../../support/records.js';
import { addConsole, consoleKinds, makeVoucherClient } from '../../vouchers/consoleFixtures.js';

const api = withApi();
let client: Awaited<ReturnType<typeof makeVoucherClient>>;
beforeAll(async () => {
  client = await makeVoucherClient(api);
});
const voucherd = (...argv: string[]) => run(argv, { DATA_DIR: api.dataDir, CONTROLLER_DEADLINE_S: '30' });
const revoke = (...argv: string[]) => voucherd('voucher', 'revoke', ...argv);
const statusOf = async (siteId: number, code: string) =>
  (await client.list(siteId)).find(({ voucher_code }) => voucher_code === code)?.status;

describe('voucher list', () => {
  let site: string;
  beforeAll(async () => {
    const siteId = await api.addSite();
    const { id: controllerId } = (await api.tables.controllers.all()).at(-1)!;
    site = String(siteId);
    const vouchers = [
      someVoucher({ code: '0000000001', name: '2026-11-14_Familie Ärger' }),
      someVoucher({ code: '0000000002', name: '2026-11-14_100%_sicher', status: 'used', usedCount: 1 }),
      someVoucher({ code: '0000000003', name: '2026-11-14_Berger', status: 'expired' }),
      someVoucher({ code: '0000000004', name: '2026-11-14_BERGER \u001b[31m', expiresAt: someTime + 60_000 }),
    ];
    for (const [index, voucher] of vouchers.entries())
      await api.tables.vouchers.record(
        someRecord({ siteId, controllerId }, { voucher: { ...voucher, createdAt: someTime + index } }),
      );
  });
  const codes = async (...options: string[]) => {
    const { status, out, err } = await voucherd('voucher', 'list', site, '--json', ...options);
    expect([status, err]).toEqual([0, '']);
    return (JSON.parse(out) as { code: string }[]).map(({ code }) => Number(code));
  };

  test('shows the newest first, and nothing that a terminal would obey', async () => {
    const { status, out, err } = await voucherd('voucher', 'list', site);
    expect([status, err]).toEqual([0, '']);
    expect(out.split('\n').slice(0, -1)).toEqual([
      expect.stringMatching(/^code +name +status +uses +minutes +created +expires$/),
      expect.stringMatching(
        /^00000-00004 +2026-11-14_BERGER +\[31m +expired +0 of 1 +480 +2026-11-14T09:30:00Z +2026-11-14T09:31:00Z$/,
      ),
      expect.stringMatching(/^00000-00003 .* expired /),
      expect.stringMatching(/^00000-00002 .* used +1 of 1 /),
      expect.stringMatching(/^00000-00001 +2026-11-14_Familie Ärger +valid +0 of 1 .* -$/),
    ]);
  });

  test('with --json shows every field, with times as RFC 3339', async () => {
    const { out } = await voucherd('voucher', 'list', site, '--json', '--limit', '1');
    expect(JSON.parse(out)).toEqual([
      {
        code: '0000000004',
        formattedCode: '00000-00004',
        name: '2026-11-14_BERGER \u001b[31m',
        status: 'expired',
        usedCount: 0,
        maxUses: 1,
        expireMinutes: 480,
        createdAt: '2026-11-14T09:30:00.003Z',
        expiresAt: '2026-11-14T09:31:00.000Z',
      },
    ]);
  });

  test.each([
    [['--status', 'valid'], [1]],
    [['--status', 'used'], [2]],
    [
      ['--status', 'expired'],
      [4, 3],
    ],
    [
      ['--name', 'berger'],
      [4, 3],
    ],
    [['--name', 'Ärger'], [1]],
    [['--name', '%_S'], [2]],
    [['--name', '_erger'], []],
    [['--name', '!'], []],
    [['--name', 'berger', '--limit', '1'], [4]],
  ])('%j chooses', async (options, chosen) => {
    expect(await codes(...options)).toEqual(chosen);
  });

  test.each([
    [['2147483647'], `voucherd: there is no site 2147483647: see ${program} site list\n`],
    [['x'], 'voucherd: id: "x" is not allowed: a whole number from 1 to 2147483647\n'],
    [['1', '--status', 'new'], 'voucherd: --status: "new" is not allowed: one of valid, used, expired\n'],
    [['1', '--limit', '0'], 'voucherd: --limit: "0" is not allowed: a whole number from 1 to 10000\n'],
  ])('%j gives one clear line', async (argv, line) => {
    expectOneLine(await voucherd('voucher', 'list', ...argv), line);
  });
});

describe.each(consoleKinds)('voucher revoke on a controller of the kind %s', (kind) => {
  let siteId: number;
  const unifi = forAllTests(() => startUnifiConsole({ loginLimit: 1000 }), 'stop');
  beforeAll(async () => {
    [siteId] = (await addConsole(api, unifi, kind)) as [number];
  });
  const codesThere = () => unifi.vouchers().map(({ code }) => code);

  test('deletes it on the controller, and in the records it has expired', async () => {
    const [code, stays] = [await client.order(siteId), await client.order(siteId, { name: 'bleibt' })];
    const { status, out, err } = await revoke(formatCode(code));
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(new RegExp(`^ok {4}${formatCode(code)} +revoked on "console [^"]+"\\n$`));
    expect(codesThere()).toEqual([stays]);
    expect(await statusOf(siteId, code)).toBe('expired');
    expect(await statusOf(siteId, stays)).toBe('valid');
    const [entry] = await api.tables.auditLog.newest({ actions: ['voucher.revoke'] }, undefined, 1);
    expect(entry).toMatchObject({ actorKind: 'command line', detail: { siteId } });
    expect(await revoke(code)).toMatchObject({
      status: 0,
      out: expect.stringContaining('has expired already: nothing to do'),
    });
  });

  test('one that somebody has deleted there already has expired in the records afterwards', async () => {
    const code = await client.order(siteId);
    unifi.remove(code);
    expect(await revoke(code)).toMatchObject({ status: 0, err: '' });
    expect(await statusOf(siteId, code)).toBe('expired');
  });

  test('one whose id the controller did not tell is found by its code, or is gone', async () => {
    const code = await client.order(siteId);
    const forget = () =>
      api.database.write('vouchers').where({ code }).update({ controller_voucher_id: null });
    await forget();
    expect((await revoke(code)).out).toContain('revoked on');
    expect(codesThere()).not.toContain(code);
    const vouchers = api.database.write('vouchers');
    await vouchers.where({ code }).update({ status: 'valid', revoked_at: null });
    expect((await revoke(code)).out).toMatch(/was gone from "console [^"]+" already\n$/);
    expect(await statusOf(siteId, code)).toBe('expired');
  });

  test('a controller that fails leaves it as it is, and the others are revoked all the same', async () => {
    const elsewhere = await api.addSite();
    const [code, other] = [await client.order(siteId), await client.order(elsewhere)];
    unifi.fault({ kind: 'bad-gateway', on: 'all' });
    const { status, out, err } = await revoke(code, '99999-99999', other, '--json');
    unifi.fault(undefined);
    expect(status).toBe(1);
    expect(JSON.parse(err)).toMatchObject({ error: { message: '2 of 3 vouchers not revoked' } });
    expect(JSON.parse(out)).toEqual([
      {
        code,
        site: siteId,
        outcome: 'failed',
        message: expect.stringMatching(/^nothing is changed: "console /),
        remedy: expect.stringMatching(/./),
      },
      { code: '99999-99999', outcome: 'not found', message: expect.any(String), remedy: expect.any(String) },
      { code: other, site: elsewhere, outcome: 'revoked', message: expect.any(String) },
    ]);
    expect(codesThere()).toContain(code);
    expect(await statusOf(siteId, code)).toBe('valid');
    expect(await statusOf(elsewhere, other)).toBe('expired');
  });
});

describe('voucher revoke', () => {
  test('a code that several sites have needs the site', async () => {
    const [one, two] = [await api.addSite(), await api.addSite()];
    const code = await client.order(one);
    const other = await client.order(two, { name: 'Anders' });
    await api.database.write('vouchers').where({ code: other }).update({ code });
    const { status, out } = await revoke(code);
    expect(status).toBe(1);
    expect(out).toMatch(/^FAIL {2}\d+ +several sites have it: \d+, \d+\n +→ say which with --site ID\n$/);
    expect(await revoke(code, '--site', String(one))).toMatchObject({ status: 0 });
    expect([await statusOf(one, code), await statusOf(two, code)]).toEqual(['expired', 'valid']);
  });

  test('of a controller that was removed says that it can not be asked', async () => {
    const siteId = await api.addSite();
    const code = await client.order(siteId);
    await voucherd('site', 'deactivate', String(siteId));
    const { name } = (await api.tables.controllers.all()).at(-1)!;
    expect((await voucherd('controller', 'remove', name)).status).toBe(0);
    const { status, out } = await revoke(code);
    expect(status).toBe(1);
    expect(out).toContain('its controller was removed');
    expect(await statusOf(siteId, code)).toBe('valid');
  });

  test('a site that does not exist gives one clear line', async () => {
    expectOneLine(await revoke('1', '--site', '2147483647'), 'voucherd: there is no site 2147483647: ');
  });
});
