import { beforeAll, expect, test } from '@jest/globals';
import { nodeSystem } from '../../src/lib/system.js';
import { makeCliFixture } from '../support/cliFixture.js';
import { forAllTests } from '../support/fixture.js';
import { addSite, someRecord, someVoucher } from '../support/records.js';

let site: string;
const cli = forAllTests(makeCliFixture, 'remove');
beforeAll(async () => {
  await cli.add('Programm', 'generic', 'https://hooks.example.org/services/geheimePlatzhalter');
  const place = await addSite(cli.tables);
  site = String(place.siteId);
  const voucher = someVoucher({ expiresAt: nodeSystem.now() });
  await cli.tables.vouchers.record(someRecord(place, { voucher }));
  await cli.tables.deliveries.dispatch(nodeSystem.now());
  await cli.voucherd('key', 'create', '--name', 'Rezeption', '--scope', 'read', '--expires', '2999-12-31');
  await cli.voucherd('user', 'create', '--name', 'Bert', '--role', 'staff', '--generate');
  await cli.voucherd('user', 'disable', 'Bert');
  for (const { id, prefix } of await cli.tables.apiKeys.all()) {
    await cli.tables.apiKeys.noteUse(id, nodeSystem.now());
    await cli.tables.apiKeys.revoke(prefix, nodeSystem.now());
  }
});

/** Every value that is a time, by its name: one with a time zone, or a number of milliseconds. */
const timesIn = (value: unknown, name = ''): [string, unknown][] => {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => timesIn(inner, key));
  const isTime = /(^at|At|[uU]ntil)$/.test(name) || (typeof value === 'number' && value > 1e12);
  return isTime && value !== null ? [[name, value]] : [];
};

const commands: [command: string, least: number, options: string[]][] = [
  ['key create', 1, ['--name', 'x', '--scope', 'read', '--expires', '2999-12-31']],
  ['key list', 4, []],
  ['user create', 1, ['--name', 'Anna', '--role', 'staff', '--generate']],
  ['user list', 2, []],
  ['site list', 0, []],
  ['controller list', 0, []],
  ['webhook list', 1, []],
  ['webhook deliveries', 2, []],
  ['webhook rotate-secret', 1, ['Programm']],
  ['voucher list', 2, ['SITE']],
];

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('--json writes times as RFC 3339', async () => {
  for (const [command, least, options] of commands) {
    const argv = options.map((option) => (option === 'SITE' ? site : option));
    const { status, out } = await cli.voucherd(...command.split(' '), ...argv, '--json');
    expect([command, status]).toEqual([command, 0]);
    const times = timesIn(JSON.parse(out));
    const others = times.filter(([, value]) => typeof value !== 'string' || !rfc3339.test(value));
    expect({ command, others, areThere: times.length >= least }).toEqual({
      command,
      others: [],
      areThere: true,
    });
  }
});
