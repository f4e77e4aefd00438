import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startOmadaController, type OmadaController } from '../../../simulators/omada/controller.js';
import { expectOneLine } from '../../support/cli.js';
import { makeCliFixture, type CliFixture } from '../../support/cliFixture.js';
import { randomSecret } from '../../support/secretLeaks.js';

const [secret, wrong] = [randomSecret(), randomSecret()];
let omada: OmadaController;
let cli: CliFixture;

beforeAll(async () => {
  omada = await startOmadaController({ clientSecret: secret, sites: [{ id: 'a1', name: 'Hotel' }] });
  cli = await makeCliFixture({ SECRET: secret, WRONG: wrong });
});
afterAll(async () => {
  await cli.remove();
  await omada.stop();
});

const add = (name: string, ...options: string[]) =>
  cli.voucherd(
    ...['controller', 'add', '--force', '--name', name, '--kind', 'omada', '--url', omada.url],
    ...['--fingerprint', omada.fingerprint, ...options],
  );

test('an Omada controller is added, tested with a voucher, and gets a site', async () => {
  expect((await add('Hotel', '--client-id', omada.clientId, '--client-secret-env', 'SECRET')).status).toBe(0);
  const tested = await cli.voucherd('controller', 'test', 'Hotel', '--create');
  expect(tested.status).toBe(0);
  expect(tested.out).toContain('6.1.0.19');
  expect(tested.out).toContain('--controller-site a1');
  expect(omada.vouchers()).toEqual([]);
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
  await add('Falsch', '--client-id', omada.clientId, '--client-secret-env', 'WRONG');
  const tested = await cli.voucherd('controller', 'test', 'Falsch');
  expect(tested.status).toBe(1);
  expect(tested.out).toContain('it refuses the client ID or its secret');
  // The client ID is known already.
  await cli.voucherd('controller', 'credentials', 'Falsch', '--client-secret-env', 'SECRET');
  expect((await cli.voucherd('controller', 'test', 'Falsch')).status).toBe(0);
});

test('what is missing, or belongs to another kind, is refused', async () => {
  expectOneLine(await add('Ohne', '--client-secret-env', 'SECRET'), /--client-id is missing/);
  expectOneLine(await add('Fremd', '--client-id', 'x', '--username', 'y'), /does not take --username/);
});

test('no secret is printed or can be read in the database', async () => {
  expect(await cli.leaked([secret, wrong, ...omada.tokens])).toEqual([]);
});
