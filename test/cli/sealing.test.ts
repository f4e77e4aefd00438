import { describe, expect, test } from '@jest/globals';
import { writeSealed } from '../../src/cli/sealing.js';
import { readConfig } from '../../src/config/config.js';
import { nodeSystem } from '../../src/lib/system.js';
import { openSecrets } from '../../src/secrets/secretKey.js';
import { credentialsBinding } from '../../src/secrets/encryption.js';
import { makeCliFixture } from '../support/cliFixture.js';
import { makeConsoleCliFixture, type ConsoleKind } from '../support/consoleCliFixture.js';
import { startService } from '../support/service.js';

describe.each<ConsoleKind>(['unifi', 'unifi-classic'])(
  'a running service with a console of the kind %s',
  (kind) => {
    test('goes on creating while the key is replaced, and after it, without signing in anew', async () => {
      const unifi = await makeConsoleCliFixture();
      const service = await startService({ dataDir: unifi.dataDir });
      try {
        await unifi.add('Konsole', kind);
        const added = await unifi.voucherd('site', 'add', '--name', 'Haus', '--controller', 'Konsole');
        const key = await service.addKey();
        const order = async () =>
          (await service.post('/vouchers.php', { site_id: Number(added.out), name: 'Berger' }, { key }))
            .status;
        expect(await order()).toBe(201);
        unifi.unifi.resetCounts();
        for (let round = 0; round < 3; round++) {
          const rotated = unifi.voucherd('secret', 'rotate');
          const during = [];
          for (let count = 0; count < 5; count++) during.push(await order());
          expect(await rotated).toMatchObject({
            status: 0,
            out: expect.stringMatching(/^1 value is sealed/),
          });
          expect([...during, await order()]).toEqual(Array.from({ length: 6 }, () => 201));
        }
        expect(unifi.unifi.vouchers()).toHaveLength(19);
        expect(unifi.unifi.counts).toMatchObject({ logins: 0 });
        expect(await unifi.secretsLeaked()).toEqual([]);
      } finally {
        await service.stop();
        await unifi.remove();
      }
    });

    test('that starts after the rotation creates too', async () => {
      const unifi = await makeConsoleCliFixture();
      await unifi.add('Konsole', kind);
      const added = await unifi.voucherd('site', 'add', '--name', 'Haus', '--controller', 'Konsole');
      await unifi.voucherd('secret', 'rotate');
      const service = await startService({ dataDir: unifi.dataDir });
      try {
        const key = await service.addKey();
        const order = { site_id: Number(added.out), name: 'Berger' };
        expect((await service.post('/vouchers.php', order, { key })).status).toBe(201);
      } finally {
        await service.stop();
        await unifi.remove();
      }
    });
  },
);

test('credentials that were sealed just before a rotation, and stored just after it, open with the new key', async () => {
  const cli = await makeCliFixture();
  try {
    const { database, tables } = cli;
    const config = readConfig(cli.env);
    // The key is made when something is sealed first.
    openSecrets(config);
    await writeSealed({ config, database, tables, clock: nodeSystem, migrated: [] }, async (secrets) => {
      const controller = { kind: 'unifi', settings: {} };
      const sealedCredentials = secrets.seal('{"apiKey":"x"}', credentialsBinding({ id: 1, ...controller }));
      expect((await cli.voucherd('secret', 'rotate')).status).toBe(0);
      return tables.controllers.add({ name: 'x', ...controller, sealedCredentials }, 0);
    });
    const [stored] = await tables.controllers.all();
    expect(openSecrets(config).open(stored!.sealedCredentials!, credentialsBinding(stored!))).toBe(
      '{"apiKey":"x"}',
    );
  } finally {
    await cli.remove();
  }
});
