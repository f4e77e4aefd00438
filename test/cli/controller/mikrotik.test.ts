import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startMikrotikRouter, type MikrotikRouter } from '../../../simulators/mikrotik/router.js';
import { expectOneLine } from '../../support/cli.js';
import { makeCliFixture, type CliFixture } from '../../support/cliFixture.js';
import { randomSecret } from '../../support/secretLeaks.js';

const [secret, wrong] = [randomSecret(), randomSecret()];
let router: MikrotikRouter;
let cli: CliFixture;

beforeAll(async () => {
  router = await startMikrotikRouter({ password: secret, servers: ['a1'] });
  cli = await makeCliFixture({ SECRET: secret, WRONG: wrong });
});
afterAll(async () => {
  await cli.remove();
  await router.stop();
});

const add = (name: string, ...options: string[]) =>
  cli.voucherd(
    ...['controller', 'add', '--force', '--name', name, '--kind', 'mikrotik', '--url', router.url],
    ...['--fingerprint', router.fingerprint, ...options],
  );

test('a MikroTik router is added, tested with a voucher, and gets a site', async () => {
  expect((await add('Hotel', '--username', router.username, '--password-env', 'SECRET')).status).toBe(0);
  const tested = await cli.voucherd('controller', 'test', 'Hotel', '--create');
  expect(tested.status).toBe(0);
  expect(tested.out).toContain('7.16.1');
  expect(tested.out).toContain('--controller-site a1');
  expect(router.vouchers()).toEqual([]);
  const site = await cli.voucherd(
    'site',
    'add',
    '--name',
    'Hotel',
    '--controller',
    'Hotel',
    '--controller-site',
    'a1',
  );
  expect(site.status).toBe(0);
});

test('a wrong secret is named by the test, and can be replaced', async () => {
  await add('Falsch', '--username', router.username, '--password-env', 'WRONG');
  const tested = await cli.voucherd('controller', 'test', 'Falsch');
  expect(tested.status).toBe(1);
  expect(tested.out).toContain('it refuses the user or the password');
  // The user name is known already.
  await cli.voucherd('controller', 'credentials', 'Falsch', '--password-env', 'SECRET');
  expect((await cli.voucherd('controller', 'test', 'Falsch')).status).toBe(0);
});

test('what is missing, or belongs to another kind, is refused', async () => {
  expectOneLine(await add('Ohne', '--password-env', 'SECRET'), /--username is missing/);
  expectOneLine(await add('Fremd', '--username', 'x', '--client-id', 'y'), /does not take --client-id/);
});

test('no secret is printed or can be read in the database', async () => {
  expect(await cli.leaked([secret, wrong])).toEqual([]);
});
