import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openWebhook } from '../../../src/webhooks/webhooks.js';
import { openSecrets } from '../../../src/secrets/secretKey.js';
import { credentialsBinding, webhookBinding, wifiBinding } from '../../../src/secrets/encryption.js';
import type { StoredWebhook } from '../../../src/webhooks/webhookTable.js';
import { expectOneLine, program, run } from '../../support/cli.js';
import { makeCliFixture, type CliFixture } from '../../support/cliFixture.js';
import { makePostgresDatabase, makeSqliteDatabase, type TestDatabase } from '../../support/databases.js';

const apiKey = 'geheimeApiPlatzhalter7Qz';
const address = 'https://hooks.example.org/services/geheimePlatzhalter';
const [oldKey, newKey] = ['0a'.repeat(32), Buffer.alloc(32, 0xfb).toString('base64')];
let own: TestDatabase;
let cli: CliFixture;

const start = async (settings: Record<string, string>, make = makeSqliteDatabase): Promise<void> => {
  own = await make();
  cli = await makeCliFixture({ DATABASE_URL: own.url, ...settings });
  await cli.add('Chat', 'slack', address);
  await cli.add('Programm', 'generic', address);
  await run(
    ['controller', 'add', '--name', 'Konsole', '--kind', 'unifi', '--url', 'https://x', '--api-key-env', 'K'],
    { ...cli.env, K: apiKey },
  );
};
afterEach(async () => {
  await cli.remove();
  await own.drop();
});

/** The addresses and the credentials that a key opens. */
const opened = async (secretKey?: Buffer): Promise<string[]> => {
  const secrets = openSecrets({ secretKey, dataDir: cli.dataDir });
  const webhooks = await cli.tables.webhooks.all();
  const controllers = await cli.tables.controllers.all();
  return [
    ...webhooks.map((stored) => openWebhook(stored, secrets).address),
    ...controllers.map((stored) => secrets.open(stored.sealedCredentials!, credentialsBinding(stored))),
  ];
};
const everything = [address, address, JSON.stringify({ apiKey })];
const keyFiles = async () =>
  (await readdir(cli.dataDir)).filter((name) => name.startsWith('secret.key')).sort();

describe('secret rotate with the key in a file', () => {
  beforeEach(() => start({}));
  const keyFile = () => join(cli.dataDir, 'secret.key');

  test('seals everything with a new key in that file', async () => {
    const before = await readFile(keyFile(), 'utf8');
    expect(await cli.voucherd('secret', 'rotate')).toEqual({
      status: 0,
      out: `4 values are sealed with a new key, which is in ${keyFile()}\n`,
      err: '',
    });
    expect(await readFile(keyFile(), 'utf8')).not.toBe(before);
    expect(await opened()).toEqual(everything);
    expect(await keyFiles()).toEqual(['secret.key']);
  });

  test('seals Wi-Fi passwords again, and names the site of one that was sealed with another key', async () => {
    const password = 'geheimesWlan7Qz';
    await cli.voucherd('controller', 'add', '--name', 'Haus', '--kind', 'simulated');
    await cli.voucherd('site', 'add', '--name', 'Hauptgebäude', '--controller', 'Haus');
    const setPassword = ({ seal }: Pick<ReturnType<typeof openSecrets>, 'seal'>) =>
      cli.tables.sites.change(1, {
        ...{ ssid: 'Gäste', wifiKind: 'wpa', sealedWifiPassword: seal(password, wifiBinding(1)) },
      });
    await setPassword(openSecrets({ secretKey: undefined, dataDir: cli.dataDir }));
    expect(JSON.parse((await cli.voucherd('secret', 'rotate', '--json')).out)).toMatchObject({
      resealed: 5,
    });
    const sealed = (await cli.tables.sites.sealedWifiPasswords()).get(1) ?? '';
    const { open } = openSecrets({ secretKey: undefined, dataDir: cli.dataDir });
    expect(open(sealed, wifiBinding(1))).toBe(password);
    await setPassword(openSecrets({ secretKey: Buffer.alloc(32), dataDir: '' }));
    expectOneLine(
      await cli.voucherd('secret', 'rotate'),
      'voucherd: Wi-Fi password of site 1 was sealed with another key or for another address: use that key, or enter the password of the Wi-Fi again on the page Sites',
    );
  });

  test('raises the revisions of webhooks and sites, so that running services read them again', async () => {
    const revisions = () =>
      Promise.all((['webhooks', 'sites'] as const).map(async (name) => cli.tables.revisions.current(name)));
    const before = await revisions();
    await cli.voucherd('secret', 'rotate');
    expect(await revisions()).toEqual(before.map((revision) => revision + 1));
  });

  test('finishes one that was interrupted', async () => {
    await writeFile(`${keyFile()}.old`, await readFile(keyFile()));
    await writeFile(keyFile(), `${oldKey}\n`);
    expect(await opened()).toEqual(everything);
    expect(JSON.parse((await cli.voucherd('secret', 'rotate', '--json')).out)).toEqual({
      resealed: 4,
      finished: true,
    });
    expect(await keyFiles()).toEqual(['secret.key']);
    expect(await opened(Buffer.from(oldKey, 'hex'))).toEqual(everything);
  });

  test('changes nothing when a webhook was sealed with another key', async () => {
    const before = await readFile(keyFile(), 'utf8');
    const [{ id: _chatId, ...chat }] = (await cli.tables.webhooks.all()) as [StoredWebhook];
    const { seal } = openSecrets({ secretKey: Buffer.alloc(32), dataDir: '' });
    const sealedAddress = (id: number) => seal(address, webhookBinding(id, 'address'));
    await cli.tables.webhooks.add({ ...chat, name: 'Fremd', sealedAddress });
    expectOneLine(
      await cli.voucherd('secret', 'rotate'),
      'voucherd: webhook "Fremd" was sealed with another key or for another address: use that key, or remove the webhook',
    );
    expect(await readFile(keyFile(), 'utf8')).toBe(before);
    expect(await keyFiles()).toEqual(['secret.key']);
  });

  test('changes nothing when a controller was sealed with another key', async () => {
    const before = await readFile(keyFile(), 'utf8');
    const [konsole] = await cli.tables.controllers.all();
    const { seal } = openSecrets({ secretKey: Buffer.alloc(32), dataDir: '' });
    const sealedCredentials = seal('{}', credentialsBinding(konsole!));
    await cli.tables.controllers.change(konsole!.id, { sealedCredentials });
    expectOneLine(
      await cli.voucherd('secret', 'rotate'),
      `voucherd: controller "Konsole" was sealed with another key or for another address: use that key, or give it its credentials again: ${program} controller credentials "Konsole"`,
    );
    expect(await readFile(keyFile(), 'utf8')).toBe(before);
    expect(await keyFiles()).toEqual(['secret.key']);
  });

  test('takes no key', async () => {
    expectOneLine(
      await cli.voucherd('secret', 'rotate', '--new-key-env', 'X'),
      'voucherd: a new key can be given only where SECRET_KEY is set: here the file gets one',
    );
  });

  test('is done by one at a time', async () => {
    await cli.tables.leases.acquire(['secret:rotate'], 'other', 60_000);
    expectOneLine(
      await cli.voucherd('secret', 'rotate'),
      'voucherd: another rotation runs, or was interrupted: try again in a minute',
    );
  });
});

describe('secret rotate with SECRET_KEY', () => {
  beforeEach(() => start({ SECRET_KEY: oldKey }));
  const rotate = (key: string) => run(['secret', 'rotate', '--new-key-env', 'NEW'], { ...cli.env, NEW: key });

  test('seals everything with the new key, and says to set it', async () => {
    expect(await rotate(newKey)).toEqual({
      status: 0,
      out: '4 values are sealed with the new key: set SECRET_KEY to it wherever voucherd runs, and start it again\n',
      err: '',
    });
    expect(await opened(Buffer.from(newKey, 'base64'))).toEqual(everything);
    expect(await keyFiles()).toEqual([]);
  });

  test('can be repeated, should it be unknown how it ended', async () => {
    await rotate(newKey);
    expect((await rotate(newKey)).status).toBe(0);
    expect(await opened(Buffer.from(newKey, 'base64'))).toEqual(everything);
  });

  test('refuses a key that is none or the same, and does not show it', async () => {
    const refused = {
      geheim: 'the new key is not allowed: 32 bytes, as 64 hexadecimal characters or as base64',
      [oldKey]: 'the new key is the one that SECRET_KEY has already',
    };
    for (const [key, line] of Object.entries(refused)) {
      const ended = await rotate(key);
      expectOneLine(ended, `voucherd: ${line}`);
      expect(ended.err).not.toContain(key);
    }
    expect(await opened(Buffer.from(oldKey, 'hex'))).toEqual(everything);
  });

  test('without a new key says from where it may come', async () => {
    expectOneLine(
      await cli.voucherd('secret', 'rotate'),
      'voucherd: the new key is missing: give --new-key-file FILE (- is standard input) or --new-key-env VAR',
    );
  });
});

test('secret rotate seals everything with a new key on PostgreSQL, too', async () => {
  await start({}, makePostgresDatabase);
  const before = await readFile(join(cli.dataDir, 'secret.key'), 'utf8');
  expect(JSON.parse((await cli.voucherd('secret', 'rotate', '--json')).out)).toMatchObject({ resealed: 4 });
  expect(await readFile(join(cli.dataDir, 'secret.key'), 'utf8')).not.toBe(before);
  expect(await opened()).toEqual(everything);
});

test('a wrong SECRET_KEY gives one clear line that does not show it', async () => {
  await start({});
  const ended = await run(['webhook', 'list'], { ...cli.env, SECRET_KEY: 'geheim' });
  expectOneLine(
    ended,
    /^voucherd: SECRET_KEY: … is not allowed: 32 bytes, as 64 hexadecimal characters or as/,
  );
  expect(ended.err).not.toContain('geheim');
});
