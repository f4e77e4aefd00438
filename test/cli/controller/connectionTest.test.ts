import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { makeCertificate } from '../../../simulators/certificate.js';
import { program } from '../../support/cli.js';
import {
  makeConsoleCliFixture,
  type ConsoleCliFixture,
  type ConsoleKind,
} from '../../support/consoleCliFixture.js';

const kinds: ConsoleKind[] = ['unifi', 'unifi-classic'];
let cli: ConsoleCliFixture;
const consoleWith = async (options: Parameters<typeof makeConsoleCliFixture>[0] = {}): Promise<void> => {
  cli = await makeConsoleCliFixture(options);
};

describe.each(kinds)('controller test of the kind %s', (kind) => {
  beforeAll(async () => {
    await consoleWith({
      sites: [
        { reference: 'default', name: 'Default' },
        { reference: 'x7k2q9', name: 'Gästehaus "Süd"' },
        { reference: 'lang', name: 'Lang'.repeat(2000) },
      ],
    });
    await cli.add('Konsole', kind);
  });
  afterAll(() => cli.remove());
  const send = (...options: string[]) => cli.voucherd('controller', 'test', 'Konsole', ...options);

  test('tells of each step, and of the commands that add its sites', async () => {
    expect(await send()).toEqual({
      status: 0,
      out: [
        'ok    settings        valid, and its credentials open',
        `ok    connection      127.0.0.1, port ${new URL(cli.unifi.url).port}`,
        'ok    certificate     It is the pinned one',
        'ok    sign-in         accepted',
        'ok    version         10.5.66',
        'ok    sites           3, to be added with:',
        `                      ${program} site add --name "Default" --controller "Konsole" --controller-site default`,
        `                      ${program} site add --name 'Gästehaus "Süd"' --controller "Konsole" --controller-site x7k2q9`,
        `                      ${program} site add --name "${'Lang'.repeat(15)}" --controller "Konsole" --controller-site lang`,
        'skip  vouchers        --create creates one and revokes it at once',
        '',
      ].join('\n'),
      err: '',
    });
    expect(cli.unifi.vouchers()).toEqual([]);
  });

  test('with --json tells the same as data', async () => {
    expect(JSON.parse((await send('--json')).out)).toMatchObject({
      name: 'Konsole',
      ok: true,
      version: '10.5.66',
      sites: [
        {
          id: 'default',
          name: 'Default',
          command: `${program} site add --name "Default" --controller "Konsole" --controller-site default`,
        },
        { id: 'x7k2q9', name: 'Gästehaus "Süd"' },
        { id: 'lang' },
      ],
      steps: [
        { step: 'settings', state: 'ok' },
        { step: 'connection', state: 'ok' },
        { step: 'certificate', state: 'ok' },
        { step: 'sign-in', state: 'ok' },
        { step: 'version', state: 'ok' },
        { step: 'sites', state: 'ok' },
        { step: 'vouchers', state: 'not tried' },
      ],
    });
  });

  test('with --create makes one voucher, named like an order’s, and revokes it at once', async () => {
    cli.unifi.resetCounts();
    const { status, out } = await send('--create');
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(/^ok {4}vouchers {8}created one on its site default, and revoked it$/m),
    ]);
    const made = kind === 'unifi' ? 'POST vouchers' : 'POST cmd/hotspot create-voucher';
    expect(cli.unifi.counts.byRoute[made]).toBe(1);
    expect(cli.unifi.vouchers()).toEqual([]);
  });

  test('with --create makes it where the first site that is tied to it has its vouchers', async () => {
    await cli.voucherd(
      ...['site', 'add', '--name', 'Süd', '--controller', 'Konsole', '--controller-site', 'x7k2q9'],
    );
    expect((await send('--create')).out).toContain('created one on its site x7k2q9, and revoked it');
  });

  test('a voucher that may have been made is told by its name', async () => {
    cli.unifi.fault({ kind: 'reset-after', on: 'create' });
    const { status, out, err } = await send('--create');
    cli.unifi.fault(undefined);
    expect(status).toBe(1);
    const [{ name } = { name: '' }] = cli.unifi.vouchers();
    expect(name).toMatch(/^\d{4}-\d\d-\d\d_voucherd controller test$/);
    expect(out).toContain(`→ look for the voucher "${name}" on the controller, and delete it there`);
    expect(err).toBe(
      'voucherd: Konsole: vouchers failed: it was asked for a voucher, and it is not known whether it created one\n',
    );
  });

  test('no secret is ever printed, or readable in the database', async () => {
    expect(await cli.secretsLeaked()).toEqual([]);
    // What was looked for would have been found.
    expect(await cli.leaked(['Konsole', cli.unifi.url])).toHaveLength(2);
  });
});

/** The lines of the step that failed, and the last line. */
const failed = async (name: string, ...options: string[]) => {
  const { status, out, err } = await cli.voucherd('controller', 'test', name, ...options);
  expect(status).toBe(1);
  const [line = '', remedy = ''] = out.split('\n').slice(-3);
  expect(line).toMatch(/^FAIL {2}/);
  expect(err).toMatch(/^voucherd: [^\n]+\n$/);
  return { line, remedy: remedy.trim(), err };
};

describe('controller test says what to do', () => {
  afterEach(async () => {
    expect(await cli.secretsLeaked()).toEqual([]);
    await cli.remove();
  });

  test.each(kinds)(
    '%s: a certificate that is not trusted: its fingerprint, and the command that pins it',
    async (kind) => {
      await consoleWith();
      await cli.add('Konsole', kind, '--max-calls', '2');
      const { fingerprint } = cli.unifi;
      const { line, remedy, err } = await failed('Konsole');
      expect(line).toBe(
        `FAIL  certificate     its certificate is self-signed; its SHA-256 fingerprint is ${fingerprint}`,
      );
      expect(remedy).toBe(
        `→ if the controller itself shows the same fingerprint: ${program} controller pin "Konsole" --fingerprint ${fingerprint}`,
      );
      expect(err).toContain('voucherd: Konsole: certificate failed: its certificate is self-signed');
      expect(cli.unifi.counts.calls).toBe(0);
    },
  );

  test.each(kinds)('%s: wrong credentials are replaced with a command that it names', async (kind) => {
    await consoleWith();
    await cli.add('Konsole', kind);
    const [option = ''] = kind === 'unifi' ? ['--api-key-env'] : ['--password-env'];
    await cli.voucherd('controller', 'credentials', 'Konsole', option, 'WRONG');
    const { line, remedy } = await failed('Konsole');
    expect(line).toMatch(/^FAIL {2}sign-in {9}it refuses the (API key|user or the password)/);
    expect(remedy).toBe(`→ ${program} controller credentials "Konsole"`);
  });

  test.each(kinds)('%s: where nobody answers, address, port and firewall are to be checked', async (kind) => {
    await consoleWith();
    await cli.add('Konsole', kind);
    await cli.unifi.stop();
    const { line, remedy } = await failed('Konsole');
    expect(line).toMatch(/^FAIL {2}connection {6}it can not be reached: the connection was refused$/);
    expect(remedy).toMatch(/^→ check its address and port .*firewall/);
  });

  test('where a second factor is asked for, an account without one is needed', async () => {
    await consoleWith({ twoFactor: true });
    await cli.add('Konsole', 'unifi-classic');
    const { line, remedy } = await failed('Konsole');
    expect(line).toMatch(/^FAIL {2}sign-in {9}the account wants a second factor/);
    expect(remedy).toMatch(/^→ make a local account without one, .*credentials "Konsole" --username U$/);
  });

  test('after too many sign-ins one has to wait', async () => {
    await consoleWith({ loginLimit: 1 });
    await cli.add('Konsole', 'unifi-classic');
    expect((await cli.voucherd('controller', 'test', 'Konsole')).status).toBe(0);
    const { line, remedy } = await failed('Konsole');
    expect(line).toMatch(/^FAIL {2}sign-in {9}it lets nobody sign in for a while/);
    expect(remedy).toMatch(/^→ wait three minutes/);
  });

  test.each(kinds)('%s: an account that may only read needs another role', async (kind) => {
    await consoleWith({ readOnly: true });
    await cli.add('Konsole', kind);
    const { line, remedy } = await failed('Konsole', '--create');
    expect(line).toMatch(/^FAIL {2}\S+ +the (account|API key) may not do this/);
    expect(remedy).toMatch(/^→ give it the right to manage vouchers/);
  });

  test('a console that is too old for API keys is to be updated, or added as another kind', async () => {
    await consoleWith({ version: '9.0.99' });
    await cli.add('Konsole', 'unifi');
    const { line, remedy } = await failed('Konsole');
    expect(line).toMatch(
      /^FAIL {2}version {9}it is too old: UniFi Network 9\.0\.99, and 9\.1\.120 is needed/,
    );
    expect(remedy).toBe('→ update it, or add it as a controller of the kind unifi-classic');
  });

  test('where requests are throttled one has to wait', async () => {
    await consoleWith();
    await cli.add('Konsole', 'unifi');
    cli.unifi.fault({ kind: 'throttled', on: 'all' });
    const { line, remedy } = await failed('Konsole');
    expect(line).toMatch(/^FAIL {2}sign-in {9}it was asked too often/);
    expect(remedy).toMatch(/^→ wait a minute/);
  });

  test('an address that sends elsewhere', async () => {
    await consoleWith({ redirect: 'https://example.org/' });
    await cli.add('Konsole', 'unifi');
    const { line, remedy } = await failed('Konsole');
    expect(line).toMatch(/^FAIL {2}\S+ +its answer can not be read: /);
    expect(remedy).toMatch(/^→ check that the address is that of the controller itself/);
  });

  test.each(kinds)('%s: a console that hangs: not its address, but what keeps it busy', async (kind) => {
    cli = await makeConsoleCliFixture({}, { CONTROLLER_DEADLINE_S: '5' });
    await cli.add('Konsole', kind);
    cli.unifi.fault({ kind: 'hang', on: 'all' });
    const { line, remedy } = await failed('Konsole');
    expect(line).toMatch(/^FAIL {2}\S+ +it did not answer in time$/);
    expect(remedy).toMatch(/^→ find out what keeps it busy, or restart it .* CONTROLLER_DEADLINE_S$/);
  });

  test.each(kinds)('%s: a certificate that has expired: renew it, or pin it knowingly', async (kind) => {
    const certificate = await makeCertificate('unifi.local', {
      notBeforeDate: new Date('2024-01-01'),
      notAfterDate: new Date('2024-02-01'),
    });
    await consoleWith({ certificate });
    await cli.add('Konsole', kind, '--max-calls', '2');
    const { line, remedy } = await failed('Konsole');
    expect(line).toMatch(
      /^FAIL {2}certificate {5}its certificate has expired: it was valid until 2024-02-01; its SHA-256 fingerprint is /,
    );
    expect(remedy).toMatch(
      /^→ renew it on the controller.* trusted although it has expired: .*controller pin/,
    );
  });

  test('credentials that were sealed with another key', async () => {
    await consoleWith();
    await cli.add('Konsole', 'unifi');
    const [{ id } = { id: 0 }] = await cli.tables.controllers.all();
    await cli.tables.controllers.change(id, {
      sealedCredentials: 'v2:bm90IHNlYWxlZCB3aXRoIHRoaXMga2V5IGF0IGFsbA==',
    });
    const { line, remedy } = await failed('Konsole');
    expect(line).toBe(
      'FAIL  settings        its credentials were sealed with another key or for another address',
    );
    expect(remedy).toMatch(/voucherd controller credentials "Konsole"$/);
  });

  test('settings that can not be used', async () => {
    await consoleWith();
    await cli.tables.controllers.add({ name: 'Alt', kind: 'toaster', settings: {} }, 0);
    const { line, remedy } = await failed('Alt');
    expect(line).toMatch(/^FAIL {2}settings {8}its settings can not be used: kind: toaster is not allowed/);
    expect(remedy).toBe('→ remove it and add it again');
  });

  test('a setting that can not be used, which can be changed', async () => {
    await consoleWith();
    await cli.add('Konsole', 'unifi');
    const [{ id, settings } = { id: 0, settings: {} }] = await cli.tables.controllers.all();
    await cli.tables.controllers.change(id, { settings: { ...settings, maxCalls: 65 } });
    const { line, remedy } = await failed('Konsole');
    expect(line).toMatch(/its settings can not be used: max-calls: 65 is not allowed/);
    expect(remedy).toBe(`→ ${program} controller set "Konsole" --max-calls, with a value that is allowed`);
    expect((await cli.voucherd('controller', 'set', 'Konsole', '--max-calls', '4')).status).toBe(0);
    expect((await cli.voucherd('controller', 'test', 'Konsole')).status).toBe(0);
  });

  test('with --json the failure is data too', async () => {
    await consoleWith();
    await cli.add('Konsole', 'unifi', '--max-calls', '2');
    const { status, out } = await cli.voucherd('controller', 'test', 'Konsole', '--json');
    expect([status, JSON.parse(out)]).toMatchObject([
      1,
      {
        ok: false,
        steps: [
          { step: 'settings', state: 'ok' },
          { step: 'connection', state: 'ok' },
          { step: 'certificate', state: 'failed', remedy: expect.stringContaining('controller pin') },
        ],
      },
    ]);
  });
});
