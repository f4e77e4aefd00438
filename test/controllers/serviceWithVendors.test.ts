import { beforeAll, describe, expect, test } from '@jest/globals';
import { startMikrotikRouter } from '../../simulators/mikrotik/router.js';
import { startOmadaController } from '../../simulators/omada/controller.js';
import { openSecrets } from '../../src/secrets/secretKey.js';
import { sealCredentials } from '../../src/secrets/encryption.js';
import { withApi } from '../support/api.js';
import { sharedCertificate } from '../support/certificate.js';
import { plantSecrets } from '../support/secretLeaks.js';
import type { Answer } from '../support/service.js';
import { until } from '../support/until.js';

const startMikrotik = async (userManager: 'absent' | 'on') => {
  const router = await startMikrotikRouter({ certificate: await sharedCertificate(), userManager });
  const { username, password, servers } = router;
  plantSecrets([password]);
  return {
    ...{ controller: router, kind: 'mikrotik', credentials: { username, password }, site: servers[0]! },
    ...{ tooManyUses: 65_536, qos: { quota_mb: 5 }, end: (code: string) => router.transfer(code, 5_000_000) },
    saysWhatIsLeft: false,
  };
};
const startOmada = async () => {
  const omada = await startOmadaController({ certificate: await sharedCertificate() });
  const { clientId, clientSecret, sites } = omada;
  plantSecrets([clientSecret]);
  plantSecrets(() => omada.tokens);
  return {
    ...{ controller: omada, kind: 'omada', credentials: { clientId, clientSecret }, site: sites[0]!.id },
    ...{ tooManyUses: 1000, qos: {}, end: (code: string) => omada.endVoucher(code) },
    // Not when a voucher ends: a service that was started again has not seen it.
    saysWhatIsLeft: true,
  };
};
type Vendor = Awaited<ReturnType<typeof startMikrotik | typeof startOmada>>;

interface Listed {
  readonly voucher_code: string;
  readonly used_count: number;
  readonly status: string;
  readonly expires_at: string | null;
}

describe.each<[string, () => Promise<Vendor>]>([
  ['a MikroTik router', () => startMikrotik('absent')],
  ['a MikroTik router with User Manager', () => startMikrotik('on')],
  ['an Omada controller', startOmada],
])('a site on %s', (_, start) => {
  let vendor: Vendor;
  let siteId: number;

  // Stopping looks for what was planted in every log line and every answer.
  const api = withApi({
    env: {
      CONTROLLER_DEADLINE_S: '60',
      SYNC_INTERVAL_S: '1',
      RECONCILE_INTERVAL_S: '1',
      RECONCILE_GRACE_S: '3600',
    },
    site: false,
    beforeStop: () => vendor.controller.stop(),
  });

  beforeAll(async () => {
    vendor = await start();
    const { controller, kind, credentials, site } = vendor;
    const secrets = openSecrets({ secretKey: undefined, dataDir: api.dataDir });
    const settings = { url: controller.url, fingerprint: controller.fingerprint };
    const sealedCredentials = sealCredentials(secrets, { kind, settings }, credentials);
    const controllerId = await api.tables.controllers.add(
      { name: 'Konsole', kind, settings, sealedCredentials },
      Date.now(),
    );
    siteId = await api.tables.sites.add(
      { name: 'Hotel', active: true, controllerId, controllerSite: site },
      Date.now(),
    );
  });

  const order = (name: string, values: object = {}): Promise<Answer> =>
    api.createVoucher({ site_id: siteId, name, ...values });
  const codeOf = ({ body }: Answer): string => (body as { code: string }).code;
  const vouchers = () => vendor.controller.vouchers();

  test('an order gets a code without dashes, and its limits are kept there', async () => {
    const answer = await order('Berger', { max_uses: 3, qos: { down: 5000, quota_mb: 100 } });
    const code = codeOf(answer);
    expect(answer).toMatchObject({ status: 201, body: { formatted_code: code } });
    expect(vouchers().find((voucher) => voucher.code === code)).toMatchObject({
      limit: 3,
      down: 5000,
      up: 0,
      quotaMb: 100,
    });
  });

  test('a lost answer ends in exactly one voucher, which the client gets at once', async () => {
    const before = vouchers().length;
    vendor.controller.fault({ kind: 'reset-after', times: 1 });
    const answer = await order('Kurz');
    expect(answer.status).toBe(201);
    const made = vouchers().slice(before);
    expect(made.map(({ code }) => code)).toEqual([codeOf(answer)]);
  });

  test('a limit that the controller does not keep is refused by its name, and nothing is created', async () => {
    const before = vouchers().length;
    expect(await order('Lang', { max_uses: vendor.tooManyUses })).toMatchObject({
      status: 500,
      body: { error: 'server_error', message: expect.stringContaining('max_uses') },
    });
    expect(vouchers()).toHaveLength(before);
  });

  test('uses and the end of a voucher are recorded, and the end stays', async () => {
    const { qos, controller, end, saysWhatIsLeft } = vendor;
    const code = codeOf(await order('Nutzung', { max_uses: 2, expire_minutes: 60, qos }));
    const listed = (what: string, isSo: (voucher: Listed) => boolean): Promise<Listed> =>
      until(what, async () => {
        const { body } = await api.listVouchers(siteId);
        const voucher = (body as { vouchers: Listed[] }).vouchers.find((one) => one.voucher_code === code);
        return voucher && isSo(voucher) ? voucher : undefined;
      });
    controller.use(code, 2);
    const used = await listed('the use is recorded', (voucher) => voucher.used_count === 2);
    expect(used.expires_at).not.toBeNull();
    end(code);
    if (saysWhatIsLeft) await api.restart();
    const ended = await listed('the end is recorded', ({ status }) => status === 'expired');
    expect(ended.expires_at).toBe(used.expires_at);
  });
});
