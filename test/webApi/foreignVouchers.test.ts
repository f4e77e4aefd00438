import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin } from '../support/api.js';
import { sharedCertificate } from '../support/certificate.js';

// Real consoles answer within seconds; a busy machine does not.
const api = withAdmin({ key: {}, env: { CONTROLLER_DEADLINE_S: '60' } });

describe.each(['unifi', 'unifi-classic'] as const)(
  'vouchers that are not ours, on a console by %s',
  (kind) => {
    let unifi: UnifiConsole;
    let [siteId, controllerId]: number[] = [];

    beforeAll(async () => {
      unifi = await startUnifiConsole({ certificate: await sharedCertificate() });
      const { url, fingerprint, apiKey, username, password } = unifi;
      const credentials = kind === 'unifi' ? { apiKey } : { username, password };
      const added = await api.admin.post('/controllers', {
        ...{ name: kind, kind, url, fingerprint, credentials },
        // Both consoles show the certificate that tests share.
        force: true,
      });
      expect(added).toMatchObject({ status: 201 });
      controllerId = (added.body as { id: number }).id;
      const sites = [{ name: kind, controllerSite: 'default' }];
      const created = await api.admin.post(`/controllers/${String(controllerId)}/sites`, { sites });
      expect(created.status).toBe(201);
      siteId = (await api.tables.sites.all()).find(({ name }) => name === kind)?.id;
    });
    afterAll(() => unifi.stop());

    const list = async (): Promise<WebSchema<'ForeignVoucherList'>> => {
      const answer = await api.admin.get(`/sites/${String(siteId)}/foreign-vouchers`);
      expect(answer.status).toBe(200);
      return answer.body as WebSchema<'ForeignVoucherList'>;
    };
    const adopt = async (ids: string[] | null): Promise<unknown> =>
      (await api.admin.post(`/sites/${String(siteId)}/adoptions`, { ids })).body;

    test('they are listed beside ours, adopted once, and then found, listed and compared like ours', async () => {
      const order = { site_id: siteId, name: 'Eigener' };
      expect((await api.post('/vouchers.php', order, { key: api.key })).status).toBe(201);
      unifi.seed(1, { name: 'Fremder\u0007 Gast', limit: 2, minutes: 90, down: 2000 });
      unifi.seed(1, { name: `Lang ${'ö'.repeat(65_536)}`, limit: 0 });
      unifi.seed(1, { name: 'Verbraucht', limit: 1, used: 1 });
      // It may have been one of ours that retention has removed.
      unifi.seed(1, { name: 'Abgelaufen', limit: 5, used: 1, expiresAt: Date.now() - 60_000 });
      const found = await list();
      expect(found).toMatchObject({ total: 3, problem: null });
      const guest = found.vouchers.find(({ name }) => name.startsWith('Fremder'))!;
      expect(guest).toMatchObject({ name: 'Fremder  Gast', maxUses: 2, expireMinutes: 90, down: 2000 });
      expect(Math.max(...found.vouchers.map(({ name }) => name.length))).toBeLessThanOrEqual(255);

      // Several at once, as two administrators would: each is recorded once.
      const results = await Promise.all([adopt([guest.id]), adopt([guest.id]), adopt([guest.id, 'unknown'])]);
      expect(results.map((result) => (result as { adopted: number }).adopted).sort()).toEqual([0, 0, 1]);
      expect(await list()).toMatchObject({ total: 2 });
      expect(await adopt(null)).toEqual({ adopted: 2, problem: null });
      expect(await adopt(null)).toEqual({ adopted: 0, problem: null });
      expect(await list()).toEqual({ vouchers: [], total: 0, problem: null });

      const search = await api.admin.get(`/vouchers?text=fremder&siteId=${String(siteId)}`);
      expect(search.body).toMatchObject({
        vouchers: [
          { code: guest.code, createdBy: 'Anna Berger', creatorKind: 'adopted', state: 'valid', down: 2000 },
        ],
      });
      const listed = await api.get(`/vouchers.php?site_id=${String(siteId)}`, { key: api.key });
      const { vouchers } = listed.body as { vouchers: { voucher_code: string; status: string }[] };
      expect(vouchers).toHaveLength(4);
      expect(vouchers.map(({ status }) => status).sort()).toEqual(['used', 'valid', 'valid', 'valid']);
      const audit = (await api.admin.get('/audit?area=voucher')).body as WebSchema<'AuditPage'>;
      const entries = audit.entries.filter(
        ({ action, subjectId }) => action === 'voucher.adopt' && subjectId === String(siteId),
      );
      expect(entries.map(({ detail }) => detail)).toEqual([{ count: 2 }, { count: 1 }]);

      unifi.use(guest.code);
      const synced = await api.admin.post(`/controllers/${String(controllerId)}/sync`);
      expect(synced).toMatchObject({
        status: 200,
        body: { state: 'done', changed: 1, gone: 0, problem: null },
      });
      expect((await api.admin.get(`/vouchers?text=fremder&siteId=${String(siteId)}`)).body).toMatchObject({
        vouchers: [{ state: 'in-use', usedCount: 1 }],
      });
    });

    test('more than are listed are counted, and all of them adopted', async () => {
      unifi.seed(1203, { name: 'Viele' });
      const found = await list();
      expect(found.total).toBe(1203);
      expect(found.vouchers).toHaveLength(500);
      expect(await adopt(null)).toEqual({ adopted: 1203, problem: null });
      expect(await list()).toMatchObject({ total: 0 });
    });

    test('a voucher of an order that is still open is not listed', async () => {
      const name = '2026-11-17_Offen';
      const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
      const intent = { siteId: Number(siteId), name, ...limits, count: 1, profileId: null, actorName: 'x' };
      await api.tables.intents.begin({
        intent: { ...intent, id: kind.padEnd(32, '0'), origin: 'api', createdAt: Date.now() },
      });
      unifi.seed(1, { name });
      expect(await list()).toMatchObject({ total: 0 });
      expect(await adopt(null)).toEqual({ adopted: 0, problem: null });
      await api.database.write('intents').delete();
      expect(await list()).toMatchObject({ total: 1 });
    });

    test('a console that does not answer is part of the answer', async () => {
      await unifi.stop();
      expect(await list()).toMatchObject({ total: 0, problem: { de: expect.any(String) } });
      expect(await adopt(null)).toMatchObject({ adopted: 0, problem: { en: expect.any(String) } });
      expect((await api.admin.post(`/controllers/${String(controllerId)}/sync`)).body).toMatchObject({
        state: 'failed',
        problem: { de: expect.any(String) },
      });
    });
  },
);

test('a controller is compared once at a time, whichever process was asked', async () => {
  const siteId = await api.addSite({ name: 'Lease' });
  const site = (await api.tables.sites.all()).find(({ id }) => id === siteId)!;
  const lease = `sync-now:${String(site.controllerId)}`;
  await api.tables.leases.acquire([lease], 'another process', 25_000);
  const path = `/controllers/${String(site.controllerId)}/sync`;
  expect(await api.admin.post(path)).toMatchObject({ status: 409, body: { message: 'sync-running' } });
  await api.tables.leases.release([lease], 'another process');
  expect(await api.admin.post(path)).toMatchObject({ status: 200, body: { state: 'done' } });
});
