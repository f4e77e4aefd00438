import { beforeAll, expect, test } from '@jest/globals';
import { startMikrotikRouter } from '../../simulators/mikrotik/router.js';
import { startOmadaController } from '../../simulators/omada/controller.js';
import { startUnifiConsole } from '../../simulators/unifi/console.js';
import type { ControllerSpec } from '../../src/controllers/controller.js';
import { sealCredentials } from '../../src/secrets/encryption.js';
import { openSecrets } from '../../src/secrets/secretKey.js';
import { makeRadiusPostgres } from '../controllers/radiusSql/radiusDatabase.js';
import { withApi } from '../support/api.js';
import { sharedCertificate } from '../support/certificate.js';
import { startHoldingProxy, type HoldingProxy } from '../support/holdingProxy.js';

/** One service with a controller of each vendor, on sockets, with a proxy in front of each. */
interface Kind {
  readonly kind: string;
  readonly siteId: number;
  readonly proxy: HoldingProxy;
  codes(): Promise<readonly string[]>;
}

const stops: (() => Promise<unknown>)[] = [];
const api = withApi({
  env: { CONTROLLER_DEADLINE_S: '59', SYNC_INTERVAL_S: '0', RECONCILE_GRACE_S: '3600' },
  site: false,
  afterStop: async () => {
    for (const stop of stops) await stop();
  },
});

interface Started extends Pick<ControllerSpec, 'kind' | 'credentials'> {
  readonly url: string;
  readonly fingerprint?: string;
  readonly site: string;
  codes(): Promise<readonly string[]>;
}

const startAll = async (): Promise<Started[]> => {
  const certificate = await sharedCertificate();
  const unifi = await startUnifiConsole({ certificate });
  const omada = await startOmadaController({ certificate });
  const router = await startMikrotikRouter({ certificate, userManager: 'on' });
  const radius = await makeRadiusPostgres();
  stops.push(unifi.stop, omada.stop, router.stop, radius.drop);
  const codesOf = (vouchers: readonly { readonly code: string }[]) => vouchers.map(({ code }) => code);
  return [
    {
      ...{ kind: 'unifi', url: unifi.url, fingerprint: unifi.fingerprint, site: 'default' },
      credentials: { apiKey: unifi.apiKey },
      codes: () => Promise.resolve(codesOf(unifi.vouchers())),
    },
    {
      ...{ kind: 'omada', url: omada.url, fingerprint: omada.fingerprint, site: omada.sites[0]!.id },
      credentials: { clientId: omada.clientId, clientSecret: omada.clientSecret },
      codes: () => Promise.resolve(codesOf(omada.vouchers())),
    },
    {
      ...{ kind: 'mikrotik', url: router.url, fingerprint: router.fingerprint, site: router.servers[0]! },
      credentials: { username: router.username, password: router.password },
      codes: () => Promise.resolve(codesOf(router.vouchers())),
    },
    {
      ...{ kind: 'radius-sql', url: radius.url, site: 'hotel' },
      credentials: radius.credentials,
      codes: async () =>
        (await radius.query(`select username from radcheck where attribute = 'Cleartext-Password'`)).map(
          ({ username }) => String(username),
        ),
    },
  ];
};

const kinds: Kind[] = [];
beforeAll(async () => {
  const secrets = openSecrets({ secretKey: undefined, dataDir: api.dataDir });
  for (const { kind, url, fingerprint, credentials, site, codes } of await startAll()) {
    const { hostname, port } = new URL(url);
    const proxy = await startHoldingProxy(Number(port), hostname);
    stops.unshift(proxy.stop);
    const settings = {
      url: url.replace(`${hostname}:${port}`, `127.0.0.1:${String(proxy.port)}`),
      ...(fingerprint !== undefined && { fingerprint }),
    };
    const sealedCredentials = sealCredentials(secrets, { kind, settings }, credentials);
    const controllerId = await api.tables.controllers.add(
      { name: kind, kind, settings, sealedCredentials },
      Date.now(),
    );
    const siteId = await api.tables.sites.add(
      { name: `Site on ${kind}`, active: true, controllerId, controllerSite: site },
      Date.now(),
    );
    kinds.push({ kind, siteId, proxy, codes });
  }
});

const find = (name: string): Kind => kinds.find(({ kind }) => kind === name)!;

/** Resolves with the code. */
const order = async ({ siteId }: Kind, name: string): Promise<string> => {
  const { status, body } = await api.createVoucher({ site_id: siteId, name });
  expect({ status, body }).toMatchObject({ status: 201 });
  return (body as { code: string }).code;
};

/** Each code is on its own controller once, and nothing else is new there. */
const expectMade = async (kind: Kind, before: readonly string[], codes: readonly string[]): Promise<void> => {
  expect([...(await kind.codes())].sort()).toEqual([...before, ...codes].sort());
};

test('orders at the sites of four kinds at once are each made on their own controller', async () => {
  const made = await Promise.all(
    kinds.map(async (kind) => ({
      kind,
      codes: await Promise.all([1, 2, 3, 4, 5].map((nth) => order(kind, `Room ${String(nth)}`))),
    })),
  );
  for (const { kind, codes } of made) await expectMade(kind, [], codes);
});

test.each(['omada', 'mikrotik', 'radius-sql'])(
  'while %s hangs, orders of the others are answered, and its own are made once afterwards',
  async (name) => {
    const hung = find(name);
    const others = kinds.filter(({ kind }) => kind !== name);
    const before = await hung.codes();
    hung.proxy.hold();
    let answered = 0;
    const waiting = [1, 2, 3].map(async (nth) => {
      const code = await order(hung, `Hung ${String(nth)}`);
      answered += 1;
      return code;
    });
    try {
      for (const other of others) await order(other, `Beside ${name}`);
      expect(answered).toBe(0);
    } finally {
      hung.proxy.letGo();
    }
    await expectMade(hung, before, await Promise.all(waiting));
  },
);

/** `npm run soak -- kinds` prints how long orders on UniFi take while another kind hangs, against without. */
const rounds = Number(process.env['KIND_ROUNDS'] ?? 0);

const p99 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;

/** How long a hundred orders on UniFi take, four at a time. */
const measure = async (): Promise<number[]> => {
  const unifi = find('unifi');
  const times: number[] = [];
  await Promise.all(
    [1, 2, 3, 4].map(async () => {
      for (let nth = 0; nth < 25; nth += 1) {
        const started = performance.now();
        await order(unifi, 'Measured');
        times.push(performance.now() - started);
      }
    }),
  );
  return times;
};

if (rounds > 0)
  test('the p99 of orders on UniFi while another kind hangs, against without', async () => {
    const [beside, alone]: [number[], number[]] = [[], []];
    for (const { kind, proxy, siteId } of kinds.filter(({ kind }) => kind !== 'unifi')) {
      const [besideThis, aloneNow]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        aloneNow.push(...(await measure()));
        proxy.hold();
        const waiting = Array.from({ length: 16 }, () =>
          api.createVoucher({ site_id: siteId, name: 'Hung' }),
        );
        // Not counted, as until then the hung orders are still being written down and sent.
        await measure();
        besideThis.push(...(await measure()));
        proxy.letGo();
        await Promise.all(waiting);
      }
      beside.push(...besideThis);
      alone.push(...aloneNow);
      const [with_, without] = [p99(besideThis), p99(aloneNow)];
      console.log(
        `${kind} hangs: p99 ${with_.toFixed(1)} ms, without ${without.toFixed(1)} ms, ratio ${(with_ / without).toFixed(2)}`,
      );
    }
    expect(beside).toHaveLength(alone.length);
  });
