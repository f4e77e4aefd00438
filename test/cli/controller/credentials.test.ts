import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openSecrets } from '../../../src/secrets/secretKey.js';
import { credentialsBinding } from '../../../src/secrets/encryption.js';
import { expectOneLine, program } from '../../support/cli.js';
import {
  makeConsoleCliFixture,
  plantedCredentials,
  type ConsoleCliFixture,
} from '../../support/consoleCliFixture.js';
import { startService } from '../../support/service.js';

let cli: ConsoleCliFixture;
beforeEach(async () => {
  cli = await makeConsoleCliFixture();
});
afterEach(async () => {
  expect(await cli.secretsLeaked()).toEqual([]);
  await cli.remove();
});

const replace = (name: string, ...options: string[]) =>
  cli.voucherd('controller', 'credentials', name, ...options);
const tried = async (name: string) => (await cli.voucherd('controller', 'test', name)).status;
const credentials = async (name: string): Promise<unknown> => {
  const stored = (await cli.tables.controllers.all()).find((controller) => controller.name === name);
  const secrets = openSecrets({ secretKey: undefined, dataDir: cli.dataDir });
  return JSON.parse(secrets.open(stored!.sealedCredentials!, credentialsBinding(stored!)));
};

describe('controller credentials', () => {
  test('replaces the API key', async () => {
    await cli.add('Konsole', 'unifi');
    await replace('Konsole', '--api-key-env', 'WRONG');
    expect(await tried('Konsole')).toBe(1);
    expect(await replace('Konsole', '--api-key-env', 'API_KEY')).toEqual({
      status: 0,
      out: 'Konsole\n',
      err: `its credentials are replaced; try them: ${program} controller test "Konsole"\n`,
    });
    expect(await tried('Konsole')).toBe(0);
  });

  test('replaces the password, and keeps the user name unless another is given', async () => {
    await cli.add('Konsole', 'unifi-classic');
    await replace('Konsole', '--password-env', 'WRONG');
    expect(await credentials('Konsole')).toEqual({
      username: 'voucherd',
      password: plantedCredentials.wrong,
    });
    await replace('Konsole', '--password-env', 'PASSWORD', '--username', 'gast');
    expect(await credentials('Konsole')).toEqual({ username: 'gast', password: plantedCredentials.password });
  });

  test('takes no settings, and nothing of another kind', async () => {
    await cli.add('Konsole', 'unifi');
    expectOneLine(
      await replace('Konsole', '--password-env', 'PASSWORD'),
      'voucherd: a controller of the kind unifi does not take --password-env',
    );
    expectOneLine(await replace('Konsole', '--url', 'https://x'), "unknown option '--url'");
    expectOneLine(await replace('Konsole'), 'is missing: give --api-key-file FILE');
  });

  test('with --json prints id and name', async () => {
    await cli.add('Konsole', 'unifi');
    const { out, err } = await replace('Konsole', '--api-key-env', 'API_KEY', '--json');
    expect([JSON.parse(out), err]).toEqual([{ id: expect.any(Number), name: 'Konsole' }, '']);
  });

  test('is the way out when the key that sealed them is lost', async () => {
    await cli.add('Nord', 'unifi');
    await cli.add('Süd', 'unifi-classic');
    await rm(join(cli.dataDir, 'secret.key'));
    expectOneLine(
      await cli.add('West', 'unifi'),
      `voucherd: controller "Nord" was sealed with another key or for another address: use that key, or give it its credentials again: ${program} controller credentials "Nord"`,
    );
    const { status, err } = await replace('Nord', '--api-key-env', 'API_KEY');
    expect(status).toBe(0);
    expect(err).toMatch(
      /^warning: controller "Süd" was sealed with another key or for another address: use that key, or give/,
    );
    expectOneLine(
      await replace('Süd', '--password-env', 'PASSWORD'),
      '--username is missing: a controller of the kind unifi-classic needs it',
    );
    await replace('Süd', '--password-env', 'PASSWORD', '--username', 'voucherd');
    expect(await Promise.all(['Nord', 'Süd'].map(tried))).toEqual([0, 0]);
    expect((await cli.add('West', 'unifi')).status).toBe(0);
  });

  test('reaches a running service with the next order', async () => {
    await cli.add('Konsole', 'unifi');
    const siteId = Number(
      (await cli.voucherd('site', 'add', '--name', 'Haus', '--controller', 'Konsole')).out,
    );
    const service = await startService({ dataDir: cli.dataDir });
    try {
      const key = await service.addKey();
      const order = () => service.post('/vouchers.php', { site_id: siteId, name: 'Berger' }, { key });
      expect((await order()).status).toBe(201);
      await replace('Konsole', '--api-key-env', 'WRONG');
      const refused = await order();
      expect(refused).toMatchObject({ status: 500, text: expect.stringContaining('API-Schlüssel') });
      for (const secret of Object.values(plantedCredentials)) expect(refused.text).not.toContain(secret);
      await replace('Konsole', '--api-key-env', 'API_KEY');
      expect((await order()).status).toBe(201);
      expect(cli.unifi.vouchers()).toHaveLength(2);
      for (const secret of Object.values(plantedCredentials))
        expect(service.lines.join('\n')).not.toContain(secret);
    } finally {
      await service.stop();
    }
  });
});
