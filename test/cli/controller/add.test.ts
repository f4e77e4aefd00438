import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { makeCertificate } from '../../../simulators/certificate.js';
import { startUnifiConsole } from '../../../simulators/unifi/console.js';
import { openSecrets } from '../../../src/secrets/secretKey.js';
import { credentialsBinding } from '../../../src/secrets/encryption.js';
import { expectOneLine, program, run } from '../../support/cli.js';
import { makeCliFixture } from '../../support/cliFixture.js';
import { plantedCredentials } from '../../support/consoleCliFixture.js';
import { forAllTests } from '../../support/fixture.js';

const url = 'https://192.0.2.1';
const fingerprint = 'AB'.repeat(32).match(/../g)!.join(':');
const cli = forAllTests(
  () =>
    makeCliFixture({
      API_KEY: plantedCredentials.apiKey,
      PASSWORD: ` ${plantedCredentials.password} \n`,
    }),
  'remove',
);

const argv = (kind: string, name: string, ...options: string[]): string[] => [
  // Most of these tests add the same console again.
  ...['controller', 'add', '--force', '--name', name, '--kind', kind],
  ...options,
];
const add = (kind: string, name: string, ...options: string[]) =>
  cli.voucherd(...argv(kind, name, ...options));
const stored = async (name: string) =>
  (await cli.tables.controllers.all()).find((controller) => controller.name === name);
const credentials = async (name: string): Promise<unknown> => {
  const controller = (await stored(name))!;
  const { open } = openSecrets({ secretKey: undefined, dataDir: cli.dataDir });
  return JSON.parse(open(controller.sealedCredentials!, credentialsBinding(controller)));
};
const key = ['--api-key-env', 'API_KEY'];

describe('controller add of the kind unifi', () => {
  test('takes the API key from a variable', async () => {
    expect(await add('unifi', 'Variable', '--url', url, ...key)).toEqual({
      status: 0,
      out: 'Variable\n',
      err: `try it, and see its sites: ${program} controller test "Variable"\n`,
    });
    expect(await credentials('Variable')).toEqual({ apiKey: plantedCredentials.apiKey });
    expect(await stored('Variable')).toMatchObject({ kind: 'unifi', settings: { url } });
  });

  test('asks for the API key on a terminal, and does not show what is typed', async () => {
    const terminal = Object.assign(new PassThrough({}), { isTTY: true }).on(
      'resume',
      function (this: PassThrough) {
        if (!this.writableEnded) this.end(`${plantedCredentials.apiKey}\r`);
      },
    );
    const { status, out, err } = await cli.typing(
      terminal,
      ...argv('unifi', 'Getippt', '--url', 'https://192.0.2.2'),
    );
    expect([status, out]).toEqual([0, 'Getippt\n']);
    expect(err).toMatch(/^API key, made in .* \(it is not shown\): \ntry it/);
    expect(await credentials('Getippt')).toEqual({ apiKey: plantedCredentials.apiKey });
  });

  test('keeps fingerprint and number of calls', async () => {
    const given = fingerprint.replaceAll(':', '').toLowerCase();
    await add('unifi', 'Fest', '--url', `${url}:11443/`, '--fingerprint', given, '--max-calls', '2', ...key);
    expect((await stored('Fest'))?.settings).toEqual({ url: `${url}:11443/`, fingerprint, maxCalls: 2 });
  });

  test('keeps what is in the file of the CA, but no private key', async () => {
    const { cert, key: privateKey } = await makeCertificate('ca.local');
    const other = await makeCertificate('other.local');
    const file = await cli.file(`# ours\n${privateKey}\n${cert}\n${other.cert}`);
    expect((await add('unifi', 'Eigene', '--url', url, '--ca-file', file, ...key)).status).toBe(0);
    const ca = (await stored('Eigene'))?.settings['ca'];
    expect(String(ca).replaceAll(/\s/g, '')).toBe((cert + other.cert).replaceAll(/\s/g, ''));
  });
});

describe('a console that is stored already is refused, and nothing is asked for:', () => {
  const unifi = forAllTests(startUnifiConsole, 'stop');
  const addFree = (kind: string, name: string, ...options: string[]) =>
    cli.voucherd('controller', 'add', '--name', name, '--kind', kind, ...options);
  const refusal = (name: string, by: string): string =>
    `voucherd: it is the console of "${name}", by its ${by}: one console is one controller, which may have many sites. If it is another console anyway: --force`;

  test('by its address, also when it does not answer', async () => {
    expect((await addFree('unifi', 'Erste', '--url', 'https://192.0.2.77', ...key)).status).toBe(0);
    expectOneLine(
      await addFree('unifi-classic', 'Zweite', '--url', 'https://192.0.2.77:443/', '--username', 'x'),
      refusal('Erste', 'address'),
    );
    expect(await stored('Zweite')).toBeUndefined();
  });

  test('by its certificate, under another name and by another API', async () => {
    expect((await addFree('unifi', 'Konsole', '--url', unifi.url, ...key)).status).toBe(0);
    expect(await stored('Konsole')).toMatchObject({ identity: unifi.fingerprint });
    const byName = unifi.url.replace('127.0.0.1', 'localhost');
    const credentials = ['--username', 'x', '--password-env', 'PASSWORD'];
    expectOneLine(
      await addFree('unifi-classic', 'Doppelt', '--url', byName, ...credentials),
      refusal('Konsole', 'certificate'),
    );
    expect(await stored('Doppelt')).toBeUndefined();
    expect(
      (await addFree('unifi-classic', 'Doppelt', '--url', byName, ...credentials, '--force')).status,
    ).toBe(0);
  });

  test('by the certificate that is pinned, also when it does not answer', async () => {
    const pinned = ['--url', 'https://192.0.2.78', '--fingerprint', unifi.fingerprint];
    expectOneLine(await addFree('unifi', 'Andere', ...pinned, ...key), refusal('Konsole', 'certificate'));
  });

  test('when another controller is given its address', async () => {
    await addFree('unifi', 'Umzug', '--url', 'https://192.0.2.79', ...key);
    const byName = unifi.url.replace('127.0.0.1', 'localhost');
    expectOneLine(
      await cli.voucherd('controller', 'set', 'Umzug', '--url', byName),
      refusal('Konsole', 'certificate'),
    );
    expect(await stored('Umzug')).toMatchObject({ settings: { url: 'https://192.0.2.79' } });
    expect((await cli.voucherd('controller', 'set', 'Umzug', '--url', byName, '--force')).status).toBe(0);
    expect(await stored('Umzug')).toMatchObject({ settings: { url: byName }, identity: unifi.fingerprint });
  });

  test('but not through the cloud, which shows one certificate for all consoles', async () => {
    const cloud = (id: string) => ['--url', `https://192.0.2.80/v1/connector/consoles/${id}`, ...key];
    expect((await addFree('unifi', 'Wolke 1', ...cloud('A:1'))).status).toBe(0);
    expect((await addFree('unifi', 'Wolke 2', ...cloud('B:2'))).status).toBe(0);
    expect(await stored('Wolke 2')).toMatchObject({ identity: 'B:2' });
  });
});

describe('controller add of the kind unifi-classic', () => {
  test('takes the user name as an option and the password as a secret, with the spaces at its ends', async () => {
    const options = ['--url', url, '--username', ' gast ', '--password-env', 'PASSWORD'];
    expect((await add('unifi-classic', 'Klassisch', ...options)).status).toBe(0);
    expect(await credentials('Klassisch')).toEqual({
      username: 'gast',
      password: ` ${plantedCredentials.password} `,
    });
    const file = await cli.file(`  ${plantedCredentials.password}\n\n`);
    const fromFile = ['--url', 'https://192.0.2.91', '--username', 'gast', '--password-file', file];
    expect((await add('unifi-classic', 'Datei 2', ...fromFile)).status).toBe(0);
    expect(await credentials('Datei 2')).toMatchObject({ password: `  ${plantedCredentials.password}\n` });
  });
});

describe('controller add refuses with one clear line', () => {
  test.each([
    ['unifi', key, '--url is missing: a controller of the kind unifi needs it'],
    [
      'unifi',
      ['--url', url],
      /^voucherd: API key is missing: give --api-key-file FILE .* or --api-key-env VAR/,
    ],
    [
      'unifi-classic',
      ['--url', url, '--password-env', 'PASSWORD'],
      '--username is missing: a controller of the kind unifi-classic needs it',
    ],
    ['unifi-classic', ['--url', url, '--username', 'x'], 'is missing: give --password-file FILE'],
    [
      'unifi',
      ['--url', 'http://192.0.2.1', ...key],
      /--url: http:\/\/192\.0\.2\.1\/ is not allowed: an https add/,
    ],
    [
      'unifi',
      ['--url', `https://u:${plantedCredentials.password}@h`, ...key],
      '--url: … is not allowed: an https address',
    ],
    [
      'unifi',
      ['--url', url, '--fingerprint', 'AB:CD', ...key],
      '--fingerprint: AB:CD is not allowed: SHA-256',
    ],
    [
      'unifi',
      ['--url', url, '--max-calls', '65', ...key],
      '--max-calls: "65" is not allowed: a whole number',
    ],
    ['unifi', ['--url', url, '--ca-file', '/nowhere', ...key], '--ca-file: "/nowhere" does not exist'],
    ['unifi', ['--url', url, '--ca-file', 'package.json', ...key], '--ca-file: holds no certificate in PEM'],
    [
      'unifi',
      ['--url', url, '--ca-file', 'x', '--fingerprint', fingerprint, ...key],
      '--fingerprint and --ca-file exclude each other',
    ],
    [
      'unifi',
      ['--url', url, '--fault', 'refuse', ...key],
      'a controller of the kind unifi does not take --fault',
    ],
    [
      'unifi',
      ['--url', url, '--username', 'x', ...key],
      'a controller of the kind unifi does not take --username',
    ],
    [
      'unifi-classic',
      ['--url', url, '--username', 'x', ...key],
      'a controller of the kind unifi-classic does not take --api-key-env',
    ],
    ['simulated', ['--url', url], 'a controller of the kind simulated does not take --url'],
    ['simulated', key, 'a controller of the kind simulated does not take --api-key-env'],
    ['unifi', ['--url', url, '--api-key', plantedCredentials.apiKey], /unknown option '--api-key'/],
    ['unifi', ['--url', url, `--api-key=${plantedCredentials.apiKey}`], /unknown option '--api-key'/],
    [
      'unifi-classic',
      ['--url', url, `--password=${plantedCredentials.password}`],
      /unknown option '--password'/,
    ],
    [
      'unifi',
      ['--url', url, '--api-key-env', plantedCredentials.apiKey],
      '--api-key-env names a variable that is not set',
    ],
  ])('%s %#', async (kind, options, line) => {
    expectOneLine(await add(kind, 'Falsch', ...options), line);
    expect(await stored('Falsch')).toBeUndefined();
  });

  test('a name that is taken, before anything is asked for', async () => {
    expectOneLine(
      await add('unifi', 'Variable', '--url', url),
      'voucherd: --name: there is already a controller named "Variable"',
    );
  });

  test('a key that does not open what is there already', async () => {
    const env = { ...cli.env, SECRET_KEY: 'ab'.repeat(32) };
    expectOneLine(
      await run(argv('unifi', 'Falsch', '--url', url, ...key), env),
      `voucherd: controller "Variable" was sealed with another key or for another address: use that key, or give it its credentials again: ${program} controller credentials "Variable"`,
    );
    expect(await stored('Falsch')).toBeUndefined();
  });
});

describe('controller list', () => {
  test('shows address and trust, and nothing of the credentials', async () => {
    const { out } = await cli.voucherd('controller', 'list');
    expect(out).toMatch(/^Variable +unifi +https:\/\/192\.0\.2\.1 +system +-$/m);
    expect(out).toMatch(/^Fest +unifi +https:\/\/192\.0\.2\.1:11443\/ +pinned +-$/m);
    expect(out).toMatch(/^Eigene +unifi +https:\/\/192\.0\.2\.1 +own CA +-$/m);
    expect(out).toMatch(/^Klassisch +unifi-classic /m);
  });

  test('with --json shows the fingerprint, and nothing of the credentials', async () => {
    const { out } = await cli.voucherd('controller', 'list', '--json');
    expect(JSON.parse(out)).toContainEqual({
      id: expect.any(Number),
      name: 'Fest',
      kind: 'unifi',
      address: `${url}:11443/`,
      trust: 'pinned',
      settings: { fingerprint, maxCalls: 2 },
      sites: [],
    });
    expect(out).not.toMatch(/credential|sealed|gast|v2:|BEGIN/i);
  });
});

test('no secret is ever printed, or readable in the database', async () => {
  expect(await cli.leaked([...Object.values(plantedCredentials), 'PRIVATE KEY', '"gast"'])).toEqual([]);
  // What was looked for would have been found.
  expect(await cli.leaked([url, 'BEGIN CERTIFICATE'])).toHaveLength(2);
});
