import { beforeAll, describe, expect, test } from '@jest/globals';
import { startMikrotikRouter, type MikrotikRouter } from '../../../simulators/mikrotik/router.js';
import { openSecrets } from '../../../src/secrets/secretKey.js';
import { sealCredentials } from '../../../src/secrets/encryption.js';
import { withApi } from '../../support/api.js';
import { sharedCertificate } from '../../support/certificate.js';
import { plantSecrets } from '../../support/secretLeaks.js';
import type { Answer } from '../../support/service.js';
import { until } from '../../support/until.js';

interface Listed {
  readonly voucher_code: string;
  readonly used_count: number;
  readonly status: string;
  readonly expires_at: string | null;
}

describe.each(['absent', 'on'] as const)('a site on a MikroTik router (User Manager: %s)', (userManager) => {
  let router: MikrotikRouter;
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
    beforeStop: () => router.stop(),
  });

  beforeAll(async () => {
    router = await startMikrotikRouter({ certificate: await sharedCertificate(), userManager });
    const { url, fingerprint, username, password, servers } = router;
    plantSecrets([password]);
    const secrets = openSecrets({ secretKey: undefined, dataDir: api.dataDir });
    const kind = 'mikrotik';
    const settings = { url, fingerprint };
    const sealedCredentials = sealCredentials(secrets, { kind, settings }, { username, password });
    const controllerId = await api.tables.controllers.add(
      { name: 'Router', kind, settings, sealedCredentials },
      Date.now(),
    );
    siteId = await api.tables.sites.add(
      { name: 'Hotel', active: true, controllerId, controllerSite: servers[0]! },
      Date.now(),
    );
  });

  const order = (name: string, values: object = {}): Promise<Answer> =>
    api.createVoucher({ site_id: siteId, name, ...values });

  const listed = async (code: string): Promise<Listed | undefined> => {
    const { body } = await api.get(`/vouchers.php?site_id=${String(siteId)}`, { key: api.key });
    return (body as { vouchers: Listed[] }).vouchers.find((voucher) => voucher.voucher_code === code);
  };

  test('an order gets a code of ours, and its limits are kept there', async () => {
    const { status, body } = await order('Berger', { max_uses: 3, qos: { down: 5000, quota_mb: 100 } });
    expect({ status, body }).toMatchObject({ status: 201 });
    const { code } = body as { code: string };
    expect(body).toMatchObject({ formatted_code: code });
    expect(router.vouchers().find((voucher) => voucher.code === code)).toMatchObject({
      limit: 3,
      down: 5000,
      up: 0,
      quotaMb: 100,
    });
  });

  test('a lost answer ends in exactly one voucher, which the client gets at once', async () => {
    const before = router.vouchers().length;
    router.fault({ kind: 'reset-after', times: 1 });
    const { status, body } = await order('Kurz');
    expect(status).toBe(201);
    const made = router.vouchers().slice(before);
    expect(made.map(({ code }) => code)).toEqual([(body as { code: string }).code]);
  });

  test('a limit that the router does not keep is refused by its name, and nothing is created', async () => {
    const before = router.vouchers().length;
    const { status, body } = await order('Lang', { max_uses: 65_536 });
    expect(status).toBe(500);
    expect(body).toMatchObject({ error: 'server_error', message: expect.stringContaining('max_uses') });
    expect(router.vouchers()).toHaveLength(before);
  });

  test('uses and the end of a voucher are recorded', async () => {
    const { body } = await order('Nutzung', { max_uses: 2, expire_minutes: 60, qos: { quota_mb: 5 } });
    const { code } = body as { code: string };
    router.use(code, 2);
    const used = await until('the use is recorded', async () => {
      const voucher = await listed(code);
      return voucher?.used_count === 2 ? voucher : undefined;
    });
    expect(used.expires_at).not.toBeNull();
    router.transfer(code, 5_000_000);
    const ended = await until('the end is recorded', async () => {
      const voucher = await listed(code);
      return voucher?.status === 'expired' ? voucher : undefined;
    });
    expect(ended.expires_at).toBe(used.expires_at);
  });
});
