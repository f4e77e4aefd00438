import { expect, test } from '@jest/globals';
import { makeCertificate } from '../../simulators/certificate.js';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import type { ConsoleOptions } from '../../simulators/unifi/settings.js';
import { openSecrets } from '../../src/secrets/secretKey.js';
import { sealCredentials } from '../../src/secrets/encryption.js';
import { withApi } from '../support/api.js';
import { run } from '../support/cli.js';
import type { Answer } from '../support/service.js';

let console: UnifiConsole;
const api = withApi({
  afterStop: () => console.stop(),
  perTest: 'service',
});

/** Orders from a site of a console that is trusted, or not. */
const orderOn = async (isPinned: boolean, sealed?: string): Promise<() => Promise<Answer>> => {
  const { tables } = api.app;
  const secrets = openSecrets({ secretKey: undefined, dataDir: api.dataDir });
  const { url, fingerprint, apiKey } = console;
  const kind = 'unifi';
  const settings = { url, ...(isPinned && { fingerprint }) };
  const sealedCredentials = sealed ?? sealCredentials(secrets, { kind, settings }, { apiKey });
  const controllerId = await tables.controllers.add(
    { name: 'Konsole', kind, settings, sealedCredentials },
    Date.now(),
  );
  const site = { name: 'Nord', active: true, controllerId, controllerSite: 'default' };
  const siteId = await tables.sites.add(site, Date.now());
  return () => api.createVoucher({ site_id: siteId, name: 'Gast' });
};

/** What the log says of the request that failed. */
const logged = (): unknown =>
  api.lines
    .map((line) => JSON.parse(line) as { msg: string; err?: { message: string } })
    .find(({ msg }) => msg === 'request failed')?.err?.message;

const doctorSays = async (env: Record<string, string>): Promise<string | undefined> => {
  const { out } = await run(['doctor', '--json'], { DATA_DIR: api.dataDir, PORT: '1', ...env });
  const findings = JSON.parse(out) as { check: string; message: string }[];
  return findings.find(({ check }) => check === 'controller Konsole')?.message;
};

const expired: () => Promise<ConsoleOptions> = async () => ({
  certificate: await makeCertificate('unifi.local', {
    notBeforeDate: new Date('2024-01-01'),
    notAfterDate: new Date('2024-02-01'),
  }),
});

test.each<
  [string, () => Promise<ConsoleOptions>, (() => Promise<void> | void) | undefined, boolean, RegExp, RegExp]
>([
  [
    'is not there',
    async () => ({}),
    () => console.stop(),
    true,
    /^Der Controller „Konsole“ ist nicht erreichbar: die Verbindung wurde abgelehnt$/,
    /it can not be reached: the connection was refused$/,
  ],
  [
    'hangs',
    async () => ({}),
    () => console.fault({ kind: 'hang', on: 'all' }),
    true,
    /^Der Controller „Konsole“ hat nicht rechtzeitig geantwortet$/,
    /it did not answer in time$/,
  ],
  [
    'shows a certificate that nobody trusts',
    async () => ({}),
    undefined,
    false,
    /^Dem Zertifikat des Controllers „Konsole“ wird nicht vertraut: es ist selbst signiert$/,
    /its certificate is self-signed; its SHA-256 fingerprint is [0-9A-F:]+$/,
  ],
  [
    'has an expired certificate',
    expired,
    undefined,
    false,
    /^Das Zertifikat des Controllers „Konsole“ ist abgelaufen \(gültig bis 2024-02-01\)$/,
    /its certificate has expired: it was valid until 2024-02-01; its SHA-256 fingerprint is [0-9A-F:]+$/,
  ],
])(
  'a controller that %s: German for the client, English in the log and for the doctor',
  async (what, options, fail, isPinned, german, english) => {
    // Only the console that hangs is waited for.
    const env = { CONTROLLER_DEADLINE_S: what === 'hangs' ? '5' : '600' };
    await api.restart({ env });
    console = await startUnifiConsole(await options());
    const order = await orderOn(isPinned);
    await fail?.();
    const { status, body } = await order();
    expect([status, body]).toEqual([500, { error: 'server_error', message: expect.stringMatching(german) }]);
    expect(logged()).toMatch(/^Konsole: /);
    expect(logged()).toMatch(english);
    expect(await doctorSays(env)).toMatch(english);
    expect(api.lines.join('')).not.toMatch(/Der Controller|Das Zertifikat/);
  },
);

test('credentials that can not be opened: German for the client, English in the log', async () => {
  console = await startUnifiConsole();
  const order = await orderOn(true, 'v2:AAAA');
  expect((await order()).body).toEqual({
    error: 'server_error',
    message: 'Die Zugangsdaten des Controllers lassen sich nicht öffnen',
  });
  expect(logged()).toMatch(/^a stored secret can not be opened/);
});
