import { describe, expect, test } from '@jest/globals';
import { startMikrotikRouter } from '../../../simulators/mikrotik/router.js';
import { startOmadaController } from '../../../simulators/omada/controller.js';
import { expectOneLine } from '../../support/cli.js';
import { makeCliFixture } from '../../support/cliFixture.js';
import { forAllTests } from '../../support/fixture.js';
import { randomSecret } from '../../support/secretLeaks.js';

const [secret, wrong] = [randomSecret(), randomSecret()];

/** A simulated controller, and what names its account. */
interface Started {
  readonly url: string;
  readonly fingerprint: string;
  readonly account: string;
  /** What else must not leak. */
  readonly tokens: readonly string[];
  vouchers(): readonly unknown[];
  stop(): Promise<void>;
}

interface Vendor {
  readonly kind: string;
  readonly version: string;
  /** The option that names the account, and one of another kind. */
  readonly accountOption: string;
  readonly foreignOption: string;
  readonly secretOption: string;
  readonly refusal: string;
  start(): Promise<Started>;
}

const vendors: readonly Vendor[] = [
  {
    ...{ kind: 'omada', version: '6.1.0.19', refusal: 'it refuses the client ID or its secret' },
    ...{ accountOption: '--client-id', foreignOption: '--username', secretOption: '--client-secret-env' },
    start: async () => {
      const omada = await startOmadaController({
        clientSecret: secret,
        sites: [{ id: 'a1', name: 'Hotel' }],
      });
      return { ...omada, account: omada.clientId };
    },
  },
  {
    ...{ kind: 'mikrotik', version: '7.16.1', refusal: 'it refuses the user or the password' },
    ...{ accountOption: '--username', foreignOption: '--client-id', secretOption: '--password-env' },
    start: async () => {
      const router = await startMikrotikRouter({ password: secret, servers: ['a1'] });
      return { ...router, account: router.username, tokens: [] };
    },
  },
];

describe.each(vendors)('$kind', (vendor) => {
  const { kind, accountOption, foreignOption, secretOption } = vendor;
  const started = forAllTests(() => vendor.start(), 'stop');
  const cli = forAllTests(() => makeCliFixture({ SECRET: secret, WRONG: wrong }), 'remove');

  const add = (name: string, ...options: string[]) =>
    cli.voucherd(
      ...['controller', 'add', '--force', '--name', name, '--kind', kind, '--url', started.url],
      ...['--fingerprint', started.fingerprint, ...options],
    );

  test('a controller is added, tested with a voucher, and gets a site', async () => {
    expect((await add('Hotel', accountOption, started.account, secretOption, 'SECRET')).status).toBe(0);
    const tested = await cli.voucherd('controller', 'test', 'Hotel', '--create');
    expect(tested.status).toBe(0);
    expect(tested.out).toContain(vendor.version);
    expect(tested.out).toContain('--controller-site a1');
    expect(started.vouchers()).toEqual([]);
    const site = await cli.voucherd(
      ...['site', 'add', '--name', 'Hotel', '--controller', 'Hotel', '--controller-site', 'a1'],
    );
    expect(site.status).toBe(0);
  });

  test('a wrong secret is named by the test, and can be replaced', async () => {
    await add('Falsch', accountOption, started.account, secretOption, 'WRONG');
    const tested = await cli.voucherd('controller', 'test', 'Falsch');
    expect(tested.status).toBe(1);
    expect(tested.out).toContain(vendor.refusal);
    // The account is known already.
    await cli.voucherd('controller', 'credentials', 'Falsch', secretOption, 'SECRET');
    expect((await cli.voucherd('controller', 'test', 'Falsch')).status).toBe(0);
  });

  test('what is missing, or belongs to another kind, is refused', async () => {
    expectOneLine(await add('Ohne', secretOption, 'SECRET'), new RegExp(`${accountOption} is missing`));
    expectOneLine(
      await add('Fremd', accountOption, 'x', foreignOption, 'y'),
      new RegExp(`does not take ${foreignOption}`),
    );
  });

  test('no secret is printed or can be read in the database', async () => {
    expect(await cli.leaked([secret, wrong, ...started.tokens])).toEqual([]);
  });
});
