import { createCipheriv, randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { openWebhook } from '../../src/webhooks/webhooks.js';
import { boundKeysFilePath } from '../../src/secrets/boundKeys.js';
import { openSecrets, readSecretKey } from '../../src/secrets/secretKey.js';
import { credentialsBinding, SecretError } from '../../src/secrets/encryption.js';
import { acquireServiceLock } from '../../src/database/serviceLock.js';
import type { StoredController } from '../../src/controllers/controllerTable.js';
import type { StoredWebhook } from '../../src/webhooks/webhookTable.js';
import { expectOneLine, run, type Ended } from '../support/cli.js';
import {
  makeConsoleCliFixture,
  plantedCredentials,
  type ConsoleCliFixture,
} from '../support/consoleCliFixture.js';
import { startService } from '../support/service.js';

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

describe('what an earlier version has sealed, for no row and no address,', () => {
  const source = () => ({ secretKey: undefined, dataDir: cli.dataDir });
  /** As that version did. */
  const sealUnbound = (text: string): string => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', readSecretKey(source()), iv);
    const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
    return `v1:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')}`;
  };
  const putUnbound = async (): Promise<void> => {
    const sealedCredentials = sealUnbound(JSON.stringify({ apiKey: plantedCredentials.apiKey }));
    await cli.tables.controllers.change((await konsole()).id, { sealedCredentials });
  };
  /** Until now this folder has seen no version that binds. */
  const forgetBound = (): Promise<void> => rm(boundKeysFilePath(cli.dataDir), { force: true });

  test.each([
    ['migrate', () => cli.voucherd('migrate')],
    ['any command', () => cli.voucherd('controller', 'list')],
    ['secret rotate', () => cli.voucherd('secret', 'rotate')],
    [
      'serve',
      async () => {
        const service = await startService({ dataDir: cli.dataDir });
        await service.stop();
        return works;
      },
    ],
  ])('is sealed for them by %s', async (_name, upgrade) => {
    await putUnbound();
    await forgetBound();
    expect(await upgrade()).toMatchObject(works);
    const stored = await konsole();
    const { open } = openSecrets(source());
    expect(stored.sealedCredentials).toMatch(/^v2:/);
    expect(JSON.parse(open(stored.sealedCredentials!, credentialsBinding(stored)))).toEqual({
      apiKey: plantedCredentials.apiKey,
    });
    expect(await tried()).toMatchObject(works);
  });

  test('stays as it is, and is used, while a service runs that may not read anything else', async () => {
    await putUnbound();
    await forgetBound();
    const release = await acquireServiceLock(`sqlite:${cli.dataDir}/voucherd.sqlite`);
    try {
      expect(await tried()).toMatchObject(works);
      expect((await konsole()).sealedCredentials).toMatch(/^v1:/);
      const { out } = await cli.voucherd('doctor', '--json');
      expect(JSON.parse(out)).toContainEqual({
        check: 'secrets',
        ok: false,
        message: 'some have the form of an earlier version',
        remedy: expect.stringMatching(/^stop all services of that version, and then: .* migrate$/),
      });
    } finally {
      await release();
    }
    expect(await cli.voucherd('migrate')).toMatchObject(works);
    expect((await konsole()).sealedCredentials).toMatch(/^v2:/);
    expect(await tried()).toMatchObject(works);
  });

  test('is no longer accepted after that, so that nobody can restore it from a copy', async () => {
    expect(await cli.voucherd('migrate')).toMatchObject(works);
    await putUnbound();
    await tamper({ url: elsewhere.url, fingerprint: elsewhere.fingerprint });
    expect(await cli.voucherd('migrate')).toMatchObject(works);
    expect((await konsole()).sealedCredentials).toMatch(/^v1:/);
    expect(await tried()).toMatchObject(refused);
    expect(elsewhere.counts.handshakes).toBe(0);
    const { out } = await cli.voucherd('doctor', '--json');
    expect(JSON.parse(out)).toContainEqual({
      check: 'secrets',
      ok: false,
      message: 'some have the form of an earlier version',
      remedy: expect.stringContaining(`first remove ${boundKeysFilePath(cli.dataDir)}, and then: `),
    });
  });

  test('keeps the service from starting, which says what doctor says', async () => {
    expect(await cli.voucherd('migrate')).toMatchObject(works);
    await putUnbound();
    const { out } = await cli.voucherd('doctor', '--json');
    const findings = JSON.parse(out) as { check: string; remedy?: string }[];
    const remedy = findings.find(({ check }) => check === 'secrets')?.remedy;
    expectOneLine(
      await cli.voucherd('serve'),
      `voucherd: what is stored has the form of an earlier version (controller "Konsole"): ${String(remedy)}\n`,
    );
    // And that helps.
    await forgetBound();
    expect(await cli.voucherd('migrate')).toMatchObject(works);
    expect(await tried()).toMatchObject(works);
  });

  test('stays when the key does not open it, and the mark names no key', async () => {
    await cli.tables.controllers.change((await konsole()).id, { sealedCredentials: `v1:${'A'.repeat(60)}` });
    await forgetBound();
    expect(await cli.voucherd('migrate')).toMatchObject(works);
    expect((await konsole()).sealedCredentials).toMatch(/^v1:A/);
    const key = readSecretKey(source());
    const mark = await readFile(boundKeysFilePath(cli.dataDir), 'utf8');
    expect(mark).toMatch(/^[0-9a-f]{32}\n$/);
    expect(key.toString('hex')).not.toContain(mark.trim());
  });
});
