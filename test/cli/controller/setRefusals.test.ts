import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectOneLine } from '../../support/cli.js';
import { makeCliFixture, type CliFixture } from '../../support/cliFixture.js';
import { credentialOptions, plantedCredentials } from '../../support/consoleCliFixture.js';

const otherUrl = 'https://192.0.2.7:11443';
const otherFingerprint = `${'AB:'.repeat(31)}AB`;
let cli: CliFixture;
beforeAll(async () => {
  cli = await makeCliFixture({ API_KEY: plantedCredentials.apiKey });
  const options = ['--kind', 'unifi', '--url', 'https://192.0.2.1', ...credentialOptions.unifi];
  for (const name of ['Konsole', 'Andere'])
    await cli.voucherd('controller', 'add', '--force', '--name', name, ...options);
});
afterAll(async () => {
  const leaked = await cli.leaked(Object.values(plantedCredentials));
  await cli.remove();
  expect(leaked).toEqual([]);
});

const state = async () => ({
  controllers: await cli.tables.controllers.all(),
  revision: await cli.tables.revisions.current('sites'),
});

describe('controller set refuses with one clear line, and changes nothing', () => {
  test.each<[string[], string]>([
    [
      [],
      'voucherd: nothing to change: give one or more of --url, --fingerprint, --ca-file, --max-calls, --new-name',
    ],
    [['--json'], '"message":"nothing to change'],
    [['--fault', 'refuse'], 'voucherd: a controller of the kind unifi does not take --fault'],
    [
      ['--url', otherUrl, '--latency-ms', '5'],
      'voucherd: a controller of the kind unifi does not take --latency-ms',
    ],
    [['--url', 'http://192.0.2.7'], 'voucherd: --url: http://192.0.2.7/ is not allowed: an https address'],
    [['--url', ''], 'voucherd: --url: "" is not allowed: it is empty'],
    [
      ['--url', `https://u:${plantedCredentials.password}@h`],
      'voucherd: --url: … is not allowed: an https address',
    ],
    [['--url', otherUrl, '--max-calls', '65'], 'voucherd: --max-calls: "65" is not allowed: a whole number'],
    [['--url', otherUrl, '--fingerprint', 'AB'], 'voucherd: --fingerprint: AB is not allowed: SHA-256'],
    [['--url', otherUrl, '--ca-file', '/nowhere'], 'voucherd: --ca-file: "/nowhere" does not exist'],
    [['--url', otherUrl, '--ca-file', 'package.json'], 'voucherd: --ca-file: holds no certificate in PEM'],
    [
      ['--ca-file', 'package.json', '--fingerprint', otherFingerprint],
      'voucherd: --fingerprint and --ca-file exclude each other',
    ],
    [['--url', otherUrl, '--new-name', ' '], 'voucherd: --new-name: " " is not allowed: 1 to 255 characters'],
    [
      ['--url', otherUrl, '--new-name', 'Andere'],
      'voucherd: --new-name: there is already a controller named "Andere"',
    ],
    [['--kind', 'unifi-classic'], "voucherd: unknown option '--kind'"],
    [['--api-key-env', 'API_KEY'], "voucherd: unknown option '--api-key-env'"],
  ])('%j', async (options, line) => {
    const before = await state();
    expectOneLine(await cli.voucherd('controller', 'set', 'Konsole', ...options), line);
    expect(await state()).toEqual(before);
  });
});
