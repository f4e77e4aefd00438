import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { openWebhook } from '../../src/webhooks/webhooks.js';
import { openSecrets } from '../../src/secrets/secretKey.js';
import { SecretError } from '../../src/secrets/encryption.js';
import type { StoredController } from '../../src/controllers/controllerTable.js';
import type { StoredWebhook } from '../../src/webhooks/webhookTable.js';
import { run, type Ended } from '../support/cli.js';
import {
  makeConsoleCliFixture,
  plantedCredentials,
  type ConsoleCliFixture,
} from '../support/consoleCliFixture.js';

let cli: ConsoleCliFixture;
let elsewhere: UnifiConsole;
beforeEach(async () => {
  cli = await makeConsoleCliFixture();
  elsewhere = await startUnifiConsole({ apiKey: plantedCredentials.apiKey });
  expect((await cli.add('Konsole', 'unifi')).status).toBe(0);
});
afterEach(async () => {
  expect(await cli.secretsLeaked()).toEqual([]);
  await cli.remove();
  await elsewhere.stop();
});

const konsole = async (): Promise<StoredController> => (await cli.tables.controllers.all())[0]!;
const tried = (): Promise<Ended> => cli.voucherd('controller', 'test', 'Konsole');
const works = { status: 0 };
const refused = {
  status: 1,
  err: 'voucherd: Konsole: settings failed: its credentials were sealed with another key or for another address\n',
};

/** As somebody does who can write the database and has no key. */
const tamper = async (settings: Record<string, unknown>): Promise<void> => {
  const stored = await konsole();
  await cli.tables.controllers.change(stored.id, { settings: { ...stored.settings, ...settings } });
};

describe('an attacker who can write to the database, without the key,', () => {
  test('can not have credentials sent to another address', async () => {
    expect(await tried()).toMatchObject(works);
    await tamper({ url: elsewhere.url, fingerprint: elsewhere.fingerprint });
    expect(await tried()).toMatchObject(refused);
    expect(elsewhere.counts.handshakes).toBe(0);
  });

  test('can not have another certificate trusted', async () => {
    await tamper({ fingerprint: elsewhere.fingerprint });
    expect(await tried()).toMatchObject(refused);
  });

  test('can not give the credentials of one controller to another', async () => {
    const { settings, sealedCredentials } = await konsole();
    await cli.tables.controllers.add({ name: 'Zweit', kind: 'unifi', settings, sealedCredentials }, 0);
    expect((await cli.voucherd('controller', 'test', 'Zweit')).status).toBe(1);
    expect(await tried()).toMatchObject(works);
  });

  test('can not exchange the addresses or the secrets of two webhooks', async () => {
    for (const name of ['Eins', 'Zwei'])
      await run(['webhook', 'add', '--name', name, '--format', 'generic', '--url-env', 'ADDRESS'], {
        ...cli.env,
        ADDRESS: `https://hooks.example.org/${name}`,
      });
    const [one, two] = await cli.tables.webhooks.all();
    const open = (webhook: StoredWebhook) => () =>
      openWebhook(webhook, openSecrets({ secretKey: undefined, dataDir: cli.dataDir }));
    expect(open(one!)().address).toBe('https://hooks.example.org/Eins');
    expect(open({ ...one!, sealedAddress: two!.sealedAddress })).toThrow(SecretError);
    expect(open({ ...one!, sealedSecrets: two!.sealedSecrets })).toThrow(SecretError);
  });
});

describe('the operator, who has the key,', () => {
  test('may give a controller another address: its credentials go along', async () => {
    const { url, fingerprint } = elsewhere;
    expect(
      await cli.voucherd('controller', 'set', 'Konsole', '--url', url, '--fingerprint', fingerprint),
    ).toMatchObject(works);
    expect(await tried()).toMatchObject(works);
    expect(elsewhere.counts.handshakes).toBeGreaterThan(0);
  });

  test('may pin another certificate: its credentials go along', async () => {
    await tamper({ fingerprint: elsewhere.fingerprint });
    expect(await cli.voucherd('controller', 'pin', 'Konsole', '--yes')).toMatchObject(works);
    expect(await tried()).toMatchObject(works);
  });

  test('mends an address that somebody has changed by setting it back', async () => {
    await tamper({ url: elsewhere.url });
    const { status, err } = await cli.voucherd('controller', 'set', 'Konsole', '--url', 'https://192.0.2.1');
    expect([status, err]).toEqual([
      5,
      expect.stringMatching(/^voucherd: nothing is changed: the credentials of "Konsole" were sealed with/),
    ]);
    expect(await cli.voucherd('controller', 'set', 'Konsole', '--url', cli.unifi.url)).toMatchObject(works);
    expect(await tried()).toMatchObject(works);
  });
});
