import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../../simulators/unifi/console.js';
import { expectOneLine, program } from '../../support/cli.js';
import {
  makeConsoleCliFixture,
  plantedCredentials,
  type ConsoleCliFixture,
  type ConsoleKind,
} from '../../support/consoleCliFixture.js';
import { startService } from '../../support/service.js';

let cli: ConsoleCliFixture;
const leaks: string[] = [];
beforeEach(async () => {
  cli = await makeConsoleCliFixture();
});
afterEach(async () => {
  leaks.push(...(await cli.secretsLeaked()));
  await cli.remove();
});
afterAll(() => expect(leaks).toEqual([]));

const set = (...options: string[]) => cli.voucherd('controller', 'set', 'Konsole', ...options);
const stored = async () => (await cli.tables.controllers.all())[0];
const settings = async () => (await stored())?.settings;
const revision = () => cli.tables.revisions.current('sites');
const otherUrl = 'https://192.0.2.7:11443';

describe('controller set', () => {
  test('changes what is given, leaves the rest, and says what to do next', async () => {
    const { fingerprint, url } = cli.unifi;
    await cli.add('Konsole', 'unifi', '--fingerprint', fingerprint, '--max-calls', '2');
    const before = await stored();
    const revisionBefore = await revision();
    expect(await set('--url', ` ${otherUrl} `)).toEqual({
      status: 0,
      out: 'Konsole\n',
      err: `changed, its sites stay; try it: ${program} controller test "Konsole"\n`,
    });
    expect(await stored()).toEqual({
      ...before,
      settings: { url: otherUrl, fingerprint, maxCalls: 2 },
      // Sealed again, for the new address.
      sealedCredentials: expect.stringMatching(/^v2:/),
    });
    expect(await revision()).toBe(revisionBefore + 1);
    await set('--max-calls', '8', '--url', url);
    expect(await settings()).toEqual({ url, fingerprint, maxCalls: 8 });
    expect((await cli.voucherd('controller', 'test', 'Konsole')).status).toBe(0);
  });

  test('with a fingerprint replaces a CA, and with a CA a fingerprint', async () => {
    const { fingerprint, certificate, url } = cli.unifi;
    const file = await cli.file(certificate);
    await cli.add('Konsole', 'unifi');
    expect((await set('--ca-file', file)).status).toBe(0);
    expect(await settings()).toEqual({ url, ca: expect.stringContaining('BEGIN CERTIFICATE') });
    expect((await cli.voucherd('controller', 'test', 'Konsole')).status).toBe(0);
    expect((await set('--fingerprint', fingerprint.replaceAll(':', '').toLowerCase())).status).toBe(0);
    expect(await settings()).toEqual({ url, fingerprint });
    expect((await cli.voucherd('controller', 'test', 'Konsole')).status).toBe(0);
  });

  test('with --new-name gives it another name, and the sites stay with it', async () => {
    await cli.add('Konsole', 'unifi');
    await cli.voucherd('site', 'add', '--name', 'Haus', '--controller', 'Konsole');
    const { status, out, err } = await set('--new-name', ' Zentrale "Süd" ');
    expect([status, out]).toEqual([0, 'Zentrale "Süd"\n']);
    expect(err).toContain(`${program} controller test 'Zentrale "Süd"'`);
    expect(JSON.parse((await cli.voucherd('controller', 'list', '--json')).out)).toMatchObject([
      { name: 'Zentrale "Süd"', address: cli.unifi.url, sites: [{ name: 'Haus', active: true }] },
    ]);
    expectOneLine(await set('--max-calls', '2'), 'voucherd: there is no controller named "Konsole"');
  });

  test('may be given the name that it has', async () => {
    await cli.add('Konsole', 'unifi');
    expect((await set('--new-name', 'Konsole', '--max-calls', '3')).status).toBe(0);
    expect(await settings()).toMatchObject({ maxCalls: 3 });
  });

  test('with --json prints id, name and kind', async () => {
    await cli.add('Konsole', 'unifi-classic');
    const { out, err } = await set('--max-calls', '3', '--new-name', 'Neu', '--json');
    expect([JSON.parse(out), err]).toEqual([
      { id: (await stored())?.id, name: 'Neu', kind: 'unifi-classic' },
      '',
    ]);
  });

  test('turns the knobs of one without hardware', async () => {
    const knobs = ['--kind', 'simulated', '--latency-ms', '5', '--fault', 'refuse'];
    await cli.voucherd('controller', 'add', '--name', 'Konsole', ...knobs);
    expect((await set('--fault', 'none')).status).toBe(0);
    expect(await settings()).toEqual({ latencyMs: 5, fault: 'none' });
    expectOneLine(await set('--url', otherUrl), 'a controller of the kind simulated does not take --url');
    expectOneLine(await set(), 'nothing to change: give one or more of --latency-ms, --fault, --new-name');
    expectOneLine(await set('--fault', 'explode'), 'voucherd: --fault: explode is not allowed: one of none,');
    expect(await settings()).toEqual({ latencyMs: 5, fault: 'none' });
  });
});

describe.each<ConsoleKind>(['unifi', 'unifi-classic'])(
  'a running service with a console of the kind %s that moves to another address',
  (kind) => {
    let moved: UnifiConsole;
    beforeEach(async () => {
      const { apiKey, password } = plantedCredentials;
      moved = await startUnifiConsole({ apiKey, password });
    });
    afterEach(() => moved.stop());

    test('goes on creating for the same sites, without losing an order', async () => {
      await cli.add('Konsole', kind);
      const added = await cli.voucherd('site', 'add', '--name', 'Haus', '--controller', 'Konsole');
      const site_id = Number(added.out);
      const service = await startService({ dataDir: cli.dataDir });
      try {
        const key = await service.addKey();
        const order = async (name: string) =>
          (await service.post('/vouchers.php', { site_id, name }, { key })).status;
        expect(await order('vorher')).toBe(201);
        const changing = set(
          '--url',
          moved.url,
          '--fingerprint',
          moved.fingerprint,
          '--new-name',
          'Zentrale',
        );
        const during = [];
        for (let count = 0; count < 10; count++) during.push(await order(`während ${String(count)}`));
        expect((await changing).status).toBe(0);
        await cli.unifi.stop();
        expect([...during, await order('nachher')]).toEqual(Array.from({ length: 11 }, () => 201));

        expect(moved.vouchers().map(({ name }) => name)).toContainEqual(expect.stringMatching(/_nachher$/));
        expect(cli.unifi.vouchers().length + moved.vouchers().length).toBe(12);
        expect((await service.get('/sites.php', { key })).body).toEqual({
          sites: [{ id: site_id, name: 'Haus' }],
        });
        const { body } = await service.get(`/vouchers.php?site_id=${String(site_id)}`, { key });
        expect(body).toMatchObject({ vouchers: { length: 12 } });
        for (const secret of Object.values(plantedCredentials))
          expect(service.lines.join('\n')).not.toContain(secret);
      } finally {
        await service.stop();
      }
    });
  },
);
