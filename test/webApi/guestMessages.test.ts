import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin } from '../support/api.js';
import { startMailServer, type MailServer } from '../support/mailServer.js';
import { rowsOf } from '../support/serviceInternals.js';
import { until } from '../support/until.js';
import { makeBrowser } from '../support/web.js';
import { decide, makeGuest } from './guestsFixture.js';

let mail: MailServer;
const api = withAdmin({
  beforeStart: async () => {
    mail = await startMailServer();
    return { env: { SMTP_URL: mail.url, MAIL_FROM: 'wifi@example.org' } };
  },
  site: { name: 'Hauptgebäude' },
});
afterAll(() => mail.stop());
let profileId = 0;
beforeAll(async () => {
  const profile = { name: 'Tag', maxUses: 1, expireMinutes: 1440 };
  ({ id: profileId } = (await api.admin.post('/profiles', profile)).body as { id: number });
});

const add = async (values: object) => {
  const base = { siteId: api.siteId, profileId, perHour: 100, asksName: true, perDevice: 50 };
  const answer = await api.admin.post('/kiosks', { ...base, ...values });
  expect(answer.status).toBe(201);
  return answer.body as WebSchema<'CreatedKiosk'>;
};
const email = (slug: string, orderId: string, to: string, emailId: string = randomUUID()) =>
  makeBrowser(api).request('PUT', `/guest/${slug}/orders/${orderId}/emails/${emailId}`, {
    body: { to, language: 'de' },
  });

test('a voucher of a guest page is told from one of a kiosk in lists, searches, reports and the audit log', async () => {
  await add({ name: 'Foyer', slug: 'see' });
  await add({ name: 'Garten', slug: 'berg', needsApproval: true });
  const { path } = await add({ name: 'Foyer' });
  const headers = { 'X-Kiosk-Token': path.split('#')[1] ?? '' };
  const taken = await makeBrowser(api).request('PUT', `/kiosk/orders/${randomUUID()}`, { headers, body: {} });
  expect(taken.status).toBe(200);
  expect((await makeGuest(api, 'see').order({ name: 'Zoë' })).body).toMatchObject({ state: 'made' });
  const waits = randomUUID();
  await makeGuest(api, 'berg').order({ name: 'Jan' }, waits);
  await decide(api.admin, waits, true);
  const list = async (query = '') =>
    ((await api.admin.get(`/vouchers${query}`)).body as WebSchema<'VoucherPage'>).vouchers.map(
      ({ createdBy, creatorKind }) => `${String(creatorKind)} ${String(createdBy)}`,
    );
  expect((await list()).sort()).toEqual(['guest Foyer', 'guest Garten', 'kiosk Foyer']);
  expect((await list('?createdBy=Foyer')).sort()).toEqual(['guest Foyer', 'kiosk Foyer']);
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const [from, to] = [dayOf(Date.now() - 86_400_000), dayOf(Date.now() + 86_400_000)];
  const answer = await api.admin.get(`/reports?from=${from}&to=${to}&timeZone=UTC`);
  const report = answer.body as WebSchema<'Report'>;
  expect(report.creators?.map(({ kind, name }) => `${String(kind)} ${name}`).sort()).toEqual([
    ...['guest Foyer', 'guest Garten', 'kiosk Foyer'],
  ]);
  const { entries } = (await api.admin.get('/audit?area=voucher')).body as WebSchema<'AuditPage'>;
  expect(
    entries
      .filter(({ action }) => action === 'voucher.create')
      .map(({ actorKind, actorName }) => `${actorKind} ${String(actorName)}`)
      .sort(),
  ).toEqual(['guest Foyer', 'guest Garten', 'kiosk Foyer']);
  const sources = (await rowsOf(api, 'notifications')).map((row) => row['source']);
  expect(sources.sort()).toEqual(['Guest page: Foyer', 'Guest page: Garten', 'Kiosk: Foyer']);
});

test('an order of a guest page in flight keeps its origin', async () => {
  const siteId = await api.addSite({ name: 'Still', fault: 'disconnect' });
  await add({ name: 'Terrasse', slug: 'terrasse', siteId });
  expect((await makeGuest(api, 'terrasse').order()).body).toMatchObject({ state: 'open' });
  const rows = (await rowsOf(api, 'intents')).filter((row) => row['site_id'] === siteId);
  expect(rows).toMatchObject([{ actor_kind: 'guest', source: 'Guest page: Terrasse' }]);
});

test('a guest gets the code by e-mail where the page offers it, and only that of their own order', async () => {
  await add({ name: 'Post', slug: 'post', sendsEmail: true });
  await add({ slug: 'stumm' });
  const [post, stumm] = [makeGuest(api, 'post'), makeGuest(api, 'stumm')];
  expect((await post.look()).body).toMatchObject({ sendsEmail: true });
  expect((await stumm.look()).body).toMatchObject({ sendsEmail: false });
  const [own, other, emailId] = [randomUUID(), randomUUID(), randomUUID()];
  const { code } = (await post.order({ name: 'Buy at evil.example' }, own)).body as { code: string };
  await stumm.order({}, other);
  expect((await email('post', own, 'gast@example.org', emailId)).status).toBe(204);
  expect((await email('post', own, 'gast@example.org', emailId)).status).toBe(204);
  await until('the e-mail', () => mail.mails.length > 0);
  expect(JSON.stringify(mail.mails)).toContain(code.slice(0, 5));
  expect(JSON.stringify(mail.mails)).not.toContain('evil.example');
  expect(await email('stumm', other, 'gast@example.org')).toMatchObject({
    status: 409,
    body: { message: 'kiosk-email-off' },
  });
  expect((await email('post', other, 'gast@example.org')).status).toBe(404);
  expect((await email('post', randomUUID(), 'gast@example.org')).status).toBe(404);
  expect((await email('nichts', own, 'gast@example.org')).status).toBe(404);
  expect((await email('post', own, 'x'.repeat(65_536))).status).toBe(413);
  expect((await email('post', own, 'a@example.org, b@example.org')).status).toBe(400);
  for (const to of ['b@example.org', 'c@example.org'])
    expect((await email('post', own, to)).status).toBe(204);
  expect(await email('post', own, 'd@example.org')).toMatchObject({ body: { message: 'too-many-emails' } });
  const { entries } = (await api.admin.get('/audit?area=voucher')).body as WebSchema<'AuditPage'>;
  expect(entries.find(({ action }) => action === 'voucher.email')).toMatchObject({
    ...{ actorKind: 'guest', actorName: 'Post' },
  });
});
