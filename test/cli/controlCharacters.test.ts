import { beforeEach, describe, expect, test } from '@jest/globals';
import { makeConsoleCliFixture } from '../support/consoleCliFixture.js';
import { forEachTest } from '../support/fixture.js';
import { someKey } from '../support/records.js';

const cli = forEachTest(makeConsoleCliFixture, 'remove');

/** Clears the screen, and writes another line. */
const hostile = 'Haus\u001B[2J\u009B2J\r\nFAIL  doctor\u2028\u202Eende';
const obeyed = /[^\P{Cc}\n]|[\u2028\u202E]/u;

describe('a name with control characters that is stored already', () => {
  beforeEach(async () => {
    const { controllers, sites, apiKeys } = cli.tables;
    const controllerId = await controllers.add({ name: hostile, kind: 'simulated', settings: {} }, 0);
    await sites.add({ name: hostile, active: true, controllerId, controllerSite: hostile }, 0);
    await apiKeys.add(someKey({ name: hostile }));
    await cli.voucherd('user', 'create', '--name', 'Anna', '--role', 'staff', '--generate');
    await cli.database.write('users').update({ name: hostile, email: hostile });
  });

  test('is shown by each command on one line, without them', async () => {
    for (const command of [
      ...['site list', 'controller list', 'key list', 'user list', 'user sites Anna', 'sync', 'doctor'],
      `controller test|${hostile}`,
      `controller remove|${hostile}`,
      `site add --name Haus --controller|${hostile}|--controller-site|${hostile}`,
    ]) {
      const [words = '', ...names] = command.split('|');
      const { out, err } = await cli.voucherd(...words.split(' '), ...names);
      const shown = { isObeyed: obeyed.test(out + err), hasLine: /^FAIL {2}doctor/m.test(out + err) };
      expect({ words, ...shown }).toEqual({ words, isObeyed: false, hasLine: false });
    }
  });

  test.each([
    ['controller set', ['controller', 'set', hostile, '--latency-ms', '1']],
    ['controller remove', ['controller', 'remove', hostile]],
  ])('is shown without them when %s is done', async (_, argv) => {
    const [site] = await cli.tables.sites.all();
    await cli.tables.sites.change(site!.id, { active: false });
    const { status, out, err } = await cli.voucherd(...argv);
    expect([status, out]).toEqual([0, expect.stringContaining('Haus')]);
    expect(out + err).not.toMatch(obeyed);
  });

  test('is told as it is in JSON', async () => {
    const { out } = await cli.voucherd('site', 'list', '--json');
    expect(JSON.parse(out)).toMatchObject([{ name: hostile }]);
  });
});

const namings: [what: string, argv: string[], option: string][] = [
  ['a site', ['site', 'add', '--controller', 'C', '--name'], '--name'],
  ['the new name of a site', ['site', 'rename', '1'], 'name'],
  ['a controller', ['controller', 'add', '--kind', 'simulated', '--name'], '--name'],
  ['the new name of a controller', ['controller', 'set', 'C', '--new-name'], '--new-name'],
  ['a key', ['key', 'create', '--scope', 'read', '--name'], '--name'],
  ['a webhook', ['webhook', 'add', '--format', 'generic', '--name'], '--name'],
];

test('nothing is given a name with control characters', async () => {
  await cli.voucherd('controller', 'add', '--kind', 'simulated', '--name', 'C');
  await cli.voucherd('site', 'add', '--controller', 'C', '--name', 'Haus');
  for (const [what, argv, option] of namings) {
    const { status, err } = await cli.voucherd(...argv, 'Haus\u001B[2J');
    const line = `voucherd: ${option}: "Haus [2J" is not allowed: control characters and line breaks can not be shown\n`;
    expect({ what, status, err }).toEqual({ what, status: 2, err: line });
  }
});

test('a name may hold letters of any script, and signs that are joined of several', async () => {
  for (const name of ['Gästehaus „Süd“', 'بيت', '👨‍👩‍👧 Familie'])
    expect(await cli.voucherd('controller', 'add', '--kind', 'simulated', '--name', name)).toMatchObject({
      status: 0,
      out: `${name}\n`,
    });
});
