import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { program } from '../../support/cli.js';
import {
  makeConsoleCliFixture,
  type ConsoleCliFixture,
  type ConsoleKind,
} from '../../support/consoleCliFixture.js';

const several = [
  { reference: 'default', name: 'Default' },
  { reference: 'x7k2q9', name: 'Gästehaus' },
];
let cli: ConsoleCliFixture;
const add = (...options: string[]) =>
  cli.voucherd('site', 'add', '--name', 'Haus', '--controller', 'Konsole', ...options);
const tied = async () => (await cli.tables.sites.all()).map(({ controllerSite }) => controllerSite);
const command = (reference: string) =>
  `${program} site add --name "Haus" --controller "Konsole" --controller-site ${reference}`;

describe.each<ConsoleKind>(['unifi', 'unifi-classic'])('site add on a controller of the kind %s', (kind) => {
  afterEach(async () => {
    expect(await cli.secretsLeaked()).toEqual([]);
    await cli.remove();
  });

  describe('with several sites', () => {
    beforeEach(async () => {
      cli = await makeConsoleCliFixture({ sites: several });
      await cli.add('Konsole', kind);
    });

    test('ties the one that is named', async () => {
      const { status, out, err } = await add('--controller-site', 'x7k2q9');
      expect([status, out, err]).toEqual([0, expect.stringMatching(/^\d+\n$/), '']);
      expect(await tied()).toEqual(['x7k2q9']);
    });

    test('without a name lists them with their commands', async () => {
      expect(await add()).toEqual({
        status: 2,
        out: '',
        err: `voucherd: --controller-site is missing: Konsole has 2 sites:\n  ${command('default')}\n  ${command('x7k2q9')}\n`,
      });
      expect(await tied()).toEqual([]);
    });

    test('with one that another site uses lists those that are free', async () => {
      await add('--controller-site', 'default');
      expect(await add('--controller-site', 'default')).toEqual({
        status: 5,
        out: '',
        err: `voucherd: a site uses the site "default" of this controller already; choose another one with --controller-site:\n  ${command('x7k2q9')}\n`,
      });
      await add('--controller-site', 'x7k2q9');
      expect((await add('--controller-site', 'x7k2q9')).err).toBe(
        `voucherd: a site uses the site "x7k2q9" of this controller already: see ${program} site list\n`,
      );
    });

    test('and `controller test` no longer offers what was added', async () => {
      const offered = async () => {
        const { out } = await cli.voucherd('controller', 'test', 'Konsole');
        return [/^ok {4}sites +(.*)$/m.exec(out)?.[1], ...out.matchAll(/--controller-site (\S+)$/gm)].map(
          (found) => (typeof found === 'string' ? found : found?.[1]),
        );
      };
      await add('--controller-site', 'default');
      expect(await offered()).toEqual(['2, of which 1 added already; the others with:', 'x7k2q9']);
      await add('--controller-site', 'x7k2q9');
      expect(await offered()).toEqual(['2, added already']);
      const { out } = await cli.voucherd('controller', 'test', 'Konsole', '--json');
      const { sites } = JSON.parse(out) as { sites: { siteId: number; command?: string }[] };
      expect(sites.map(({ siteId, command: offer }) => [siteId, offer])).toEqual([
        [1, undefined],
        [2, undefined],
      ]);
    });

    test('with a name that none has lists them with their commands', async () => {
      expect(await add('--controller-site', 'Gästehaus')).toEqual({
        status: 2,
        out: '',
        err: `voucherd: --controller-site: Konsole has no site "Gästehaus", but:\n  ${command('default')}\n  ${command('x7k2q9')}\n`,
      });
      expect(await tied()).toEqual([]);
    });
  });

  test('with one site needs no name, and ties that one', async () => {
    cli = await makeConsoleCliFixture({ sites: [{ reference: 'q1w2e3', name: 'Hotel' }] });
    await cli.add('Konsole', kind);
    expect((await add()).status).toBe(0);
    expect(await tied()).toEqual(['q1w2e3']);
  });

  test('that can not be asked adds the site all the same, with a warning', async () => {
    cli = await makeConsoleCliFixture({ sites: several });
    await cli.add('Konsole', kind);
    await cli.unifi.stop();
    const { status, out, err } = await add('--controller-site', 'später');
    expect([status, out]).toEqual([0, expect.stringMatching(/^\d+\n$/)]);
    expect(err).toMatch(
      /^warning: added unchecked, because Konsole could not be asked: it can not be reached: [^\n]*\n$/,
    );
    expect((await add('--json')).err).toMatch(/^warning: added unchecked, for the only or default site/);
    expect(await tied()).toEqual(['später', null]);
  });
});
