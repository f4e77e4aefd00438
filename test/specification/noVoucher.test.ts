import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startMikrotikRouter } from '../../simulators/mikrotik/router.js';
import { startOmadaController } from '../../simulators/omada/controller.js';
import { startUnifiConsole } from '../../simulators/unifi/console.js';
import type { ConsoleFault, FaultKind } from '../../simulators/unifi/faults.js';
import { sealCredentials } from '../../src/secrets/encryption.js';
import { openSecrets } from '../../src/secrets/secretKey.js';
import { withApi } from '../support/api.js';
import { sharedCertificate } from '../support/certificate.js';

/** A controller of a vendor on a socket, with a site. */
interface Simulated {
  readonly name: string;
  readonly kind: string;
  readonly simulator: {
    readonly url: string;
    readonly fingerprint: string;
    fault(fault: ConsoleFault | undefined): void;
    stop(): Promise<void>;
  };
  readonly credentials: Record<string, string>;
  readonly site: string;
}

/** RADIUS servers are not among them: their tables hold what we have written, with codes of ours. */
const startAll = async (): Promise<Simulated[]> => {
  const certificate = await sharedCertificate();
  const unifi = await startUnifiConsole({ certificate });
  const classic = await startUnifiConsole({ certificate });
  const omada = await startOmadaController({ certificate });
  const router = await startMikrotikRouter({ certificate, userManager: 'on' });
  const hotspot = await startMikrotikRouter({ certificate });
  const account = ({ username, password }: { username: string; password: string }) => ({
    username,
    password,
  });
  const { clientId, clientSecret } = omada;
  return [
    {
      ...{ name: 'UniFi', kind: 'unifi', simulator: unifi, site: 'default' },
      credentials: { apiKey: unifi.apiKey },
    },
    {
      ...{ name: 'classic UniFi', kind: 'unifi-classic', simulator: classic, site: 'default' },
      credentials: account(classic),
    },
    {
      ...{ name: 'Omada', kind: 'omada', simulator: omada, site: omada.sites[0]!.id },
      credentials: { clientId, clientSecret },
    },
    {
      ...{ name: 'User Manager', kind: 'mikrotik', simulator: router, site: router.servers[0]! },
      credentials: account(router),
    },
    {
      ...{ name: 'hotspot', kind: 'mikrotik', simulator: hotspot, site: hotspot.servers[0]! },
      credentials: account(hotspot),
    },
  ];
};

const api = withApi({ site: false });
let all: Simulated[] = [];

beforeAll(async () => {
  all = await startAll();
});
afterAll(() => Promise.all(all.map(({ simulator }) => simulator.stop())));

const addSite = async ({ name, kind, simulator, credentials, site }: Simulated): Promise<number> => {
  const secrets = openSecrets({ secretKey: undefined, dataDir: api.dataDir });
  const { url, fingerprint } = simulator;
  const settings = { url, fingerprint };
  const sealedCredentials = sealCredentials(secrets, { kind, settings }, credentials);
  const { controllers, sites } = api.tables;
  const controllerId = await controllers.add({ name, kind, settings, sealedCredentials }, 0);
  return sites.add({ name, active: true, controllerId, controllerSite: site }, 0);
};

const faults: readonly FaultKind[] = [
  ...(['no-list', 'empty-list', 'null-voucher', 'no-code', 'null-code', 'empty-code'] as const),
];

test('whatever shows no voucher is 502 on every kind of controller [createVoucher-502-every-kind]', async () => {
  const answered = await Promise.all(
    all.map(async (one) => {
      const siteId = await addSite(one);
      const answers = [];
      for (const fault of faults) {
        one.simulator.fault({ kind: fault });
        const { status, text } = await api.createVoucher({ site_id: siteId });
        answers.push([one.name, fault, status, text]);
      }
      one.simulator.fault(undefined);
      const { status } = await api.createVoucher({ site_id: siteId });
      return [...answers, [one.name, 'none', status]];
    }),
  );
  const text =
    '{"error":"upstream_error","message":"Der Controller hat keinen gültigen Voucher zurückgegeben"}';
  expect(answered).toEqual(
    all.map(({ name }) => [...faults.map((fault) => [name, fault, 502, text]), [name, 'none', 201]]),
  );
});
