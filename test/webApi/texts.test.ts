import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin } from '../support/api.js';
import { forAllTests } from '../support/fixture.js';
import { startMailServer } from '../support/mailServer.js';
import { withPdf } from '../support/pdf.js';
import { redPng } from '../support/pictures.js';
import { addSite, someRecord, someVoucher } from '../support/records.js';
import { until } from '../support/until.js';
const server = forAllTests(startMailServer, 'stop');
const api = withAdmin({
  beforeStart: () => ({
    development: true,
    env: { SMTP_URL: server.url, MAIL_FROM: 'Hotel am See <wifi@example.org>' },
  }),
});

let siteId: number;
let voucherId: number;
const path = (id = siteId): string => `/texts/${String(id)}`;
const preview = async (texts: object, values: object = {}): Promise<WebSchema<'TextPreview'>> =>
  (await api.admin.post(`${path()}/preview`, { language: 'en', texts, ...values }))
    .body as WebSchema<'TextPreview'>;

beforeAll(async () => {
  const place = await addSite(api.tables, 'Hotel <b>');
  ({ siteId } = place);
  await api.admin.patch(`/sites/${String(siteId)}`, { ssid: 'Gäste', slipText: 'Bis bald!' });
  await api.tables.vouchers.record(someRecord(place, { voucher: someVoucher({ code: '1234567890' }) }));
  voucherId = (await api.tables.voucherSearch.byCode('1234567890'))[0]!.id;
});

const own = {
  slipHeading: 'Welcome to {site}',
  slipSteps: 'Join {wifi}.\nPassword: {password}\nType {code}.',
  slipText: 'See you, {name}!',
  emailSubject: 'Wi-Fi at {site} <i>',
  emailText: 'Dear guest,\n\n<script>alert(1)</script> {time} for {devices}.',
  emailClosing: 'Regards',
  kioskTitle: 'Free Wi-Fi at {site}',
};

test('own texts are stored, and stand on slips instead of the standard ones; those of the site before those for all', async () => {
  const forAll = { slipHeading: 'All sites', emailClosing: 'From all of us' };
  expect((await api.admin.patch(path(0), { texts: { en: forAll } })).status).toBe(204);
  expect((await api.admin.patch(path(), { texts: { en: own } })).status).toBe(204);
  expect((await api.admin.get(path())).body).toMatchObject({
    texts: { en: own },
    standard: {
      de: { slipHeading: '{site}', emailSubject: 'Ihr WLAN-Zugang: {site}' },
      // What stands there without texts of its own.
      en: { ...forAll, emailSubject: 'Your Wi-Fi access: {site}' },
    },
  });
  expect((await api.admin.get(path(0))).body).toMatchObject({ standard: { en: { slipHeading: '{site}' } } });
  const slip = async (language: string) =>
    (await api.admin.get(`/vouchers/${String(voucherId)}/slip?language=${language}`)).body;
  expect(await slip('en')).toMatchObject({
    ...{ siteName: 'Welcome to Hotel <b>', steps: 'Join Gäste.\nType 12345-67890.' },
    ...{ text: 'See you, Familie Berger!', formattedCode: '12345-67890' },
  });
  expect(await slip('de')).toMatchObject({ siteName: 'Hotel <b>', text: 'Bis bald!' });
  const { bytes } = await api.admin.post('/vouchers/slips', {
    ...{ voucherIds: [voucherId], layout: 'slip', language: 'en' },
  });
  await withPdf(bytes, ([page]) =>
    expect(page!.texts).toEqual(expect.arrayContaining(['Welcome to Hotel <b>', 'Type 12345-67890.'])),
  );
  expect((await api.admin.get('/audit?area=site')).body).toMatchObject({
    entries: expect.arrayContaining([
      expect.objectContaining({ action: 'site.texts', detail: { language: 'en' } }),
    ]),
  });
});

test('an e-mail has the own texts as text, everything that a guest needs, and the logo with its name', async () => {
  const image = redPng(60, 20).toString('base64');
  expect((await api.admin.put(`/sites/${String(siteId)}/logo`, { image })).status).toBe(204);
  const email = { voucherId, to: 'gast@example.org', language: 'en' };
  expect((await api.admin.put(`/emails/${randomUUID()}`, email)).status).toBe(200);
  await until('the e-mail', () => server.mails.length > 0);
  const raw = server.mails[0]!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  expect(raw).toContain('Subject: Wi-Fi at Hotel <b> <i>');
  for (const part of ['Dear guest,', '8=C2=A0hours for 1.', '12345-67890', 'Regards'])
    expect(raw).toContain(part);
  const html = raw.slice(raw.indexOf('<!doctype html>'), raw.indexOf('</html>'));
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toContain('<script');
  expect(html).toContain('src="cid:logo@voucherd" alt="Hotel &lt;b&gt;"');
  expect(raw).toMatch(/Content-Id: <logo@voucherd>/i);
});

test('without a logo of the site, slips and e-mails show that of the web UI, unless it is too light for paper', async () => {
  expect((await api.admin.delete(`/sites/${String(siteId)}/logo`)).status).toBe(204);
  const light = { r: 255, g: 255, b: 255, alpha: 0.5 };
  const white = await sharp({ create: { width: 60, height: 20, channels: 4, background: light } })
    .png()
    .toBuffer();
  const picturesWith = async (logo: Buffer | null): Promise<readonly boolean[]> => {
    const brand = { title: null, colour: null, logo: logo?.toString('base64') ?? null };
    expect((await api.admin.put('/branding', brand)).status).toBe(200);
    const { email } = await preview({});
    const before = server.mails.length;
    const sent = { voucherId, to: 'gast@example.org', language: 'en' };
    expect((await api.admin.put(`/emails/${randomUUID()}`, sent)).status).toBe(200);
    await until('the e-mail', () => server.mails.length > before);
    const { bytes } = await api.admin.post('/vouchers/slips', { voucherIds: [voucherId], layout: 'slip' });
    return [
      /Content-Id: <logo@voucherd>/i.test(server.mails.at(-1)!.raw),
      (email?.html.match(/src="data:/g) ?? []).length === 2,
      bytes.includes('/Subtype /Image'),
    ];
  };
  expect(await picturesWith(redPng(60, 20))).toEqual([true, true, true]);
  expect(await picturesWith(white)).toEqual([false, false, false]);
  expect(await picturesWith(null)).toEqual([false, false, false]);
});

test('a preview is what guests get, and names the place of what can not be filled in', async () => {
  const { slip, email, kiosk, pdf, problems } = await preview(own, { paper: 'card' });
  expect(problems).toEqual([]);
  expect(slip).toMatchObject({ siteName: 'Welcome to Hotel <b>', text: 'See you, Room 12!' });
  expect(email?.subject).toBe('Wi-Fi at Hotel <b> <i>');
  expect(email?.html).toContain('src="data:image/png;base64,');
  expect(email?.html).not.toContain('cid:');
  expect(kiosk).toEqual({ title: 'Free Wi-Fi at Hotel <b>', text: null, note: null });
  await withPdf(Buffer.from(pdf ?? '', 'base64'), ([page]) =>
    expect(page!.texts).toContain('Welcome to Hotel <b>'),
  );
  expect(await preview({ ...own, emailText: 'a\nb {nobody}' })).toEqual({
    problems: [{ name: 'emailText', line: 2, column: 3, found: '{nobody}' }],
  });
});

test('a text that somebody else has changed meanwhile is not replaced, and neither is any other', async () => {
  const change = async (texts: object, before?: object) =>
    (await api.admin.patch(path(), { texts: { fr: texts }, ...(before && { before: { fr: before } }) }))
      .status;
  const stored = async () => ((await api.admin.get(path())).body as WebSchema<'SiteTexts'>).texts.fr;
  expect(await change({ slipHeading: 'Un' }, {})).toBe(204);
  expect(await change({ slipHeading: 'Deux' }, { slipHeading: 'Un' })).toBe(204);
  expect(
    await api.admin.patch(path(), {
      texts: { fr: { slipHeading: 'Trois', slipText: 'Bonjour' } },
      before: { fr: { slipHeading: 'Un' } },
    }),
  ).toMatchObject({ status: 409, body: { error: 'refused', message: 'changed-meanwhile' } });
  expect(await stored()).toEqual({ slipHeading: 'Deux' });
  // What both have made of it is the same, or nobody else touched it, or it is not asked.
  expect(await change({ slipHeading: 'Deux' }, { slipHeading: 'Un' })).toBe(204);
  expect(await change({ slipText: 'Bonjour' }, {})).toBe(204);
  expect(await change({ slipHeading: 'Quatre' })).toBe(204);
  expect(await stored()).toEqual({ slipHeading: 'Quatre', slipText: 'Bonjour' });
  expect(await change({ slipHeading: '', slipText: '' }, { slipHeading: 'x'.repeat(65_536) })).toBe(400);
  expect(await change({ slipHeading: '', slipText: '' })).toBe(204);
});

test('what is not valid is refused, and changes nothing', async () => {
  const cases: [string, object, number, string][] = [
    ['an unknown placeholder', { slipText: '{nobody}' }, 400, 'placeholder-unknown'],
    ['a text that is too long', { emailText: 'x'.repeat(2001) }, 400, 'own-text-invalid'],
    ['64 KiB', { slipText: 'x'.repeat(65_536) }, 400, 'own-text-invalid'],
    ['a control character', { kioskText: 'a\u001B[31m' }, 400, 'own-text-invalid'],
  ];
  for (const [name, texts, status, message] of cases) {
    const before = (await api.admin.get(path())).body;
    const answer = await api.admin.patch(path(), { texts: { de: texts } });
    expect({ name, ...answer }).toMatchObject({ name, status, body: { message } });
    expect((await api.admin.get(path())).body).toEqual(before);
  }
});

test('two administrators who change different texts at the same time lose nothing', async () => {
  const changes = [
    { de: { slipHeading: 'Willkommen' } },
    { fr: { slipHeading: 'Bienvenue' } },
    { en: { slipText: 'Bye, {name}!' } },
  ];
  const answers = await Promise.all(changes.map((texts) => api.admin.patch(path(), { texts })));
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
  const texts = {
    ...{ de: { slipHeading: 'Willkommen' }, fr: { slipHeading: 'Bienvenue' } },
    en: { ...own, slipText: 'Bye, {name}!' },
  };
  expect((await api.admin.get(path())).body).toMatchObject({ texts });
  // An empty text is removed, and the others stay.
  expect((await api.admin.patch(path(), { texts: { fr: { slipHeading: ' ' } } })).status).toBe(204);
  const { texts: left } = (await api.admin.get(path())).body as WebSchema<'SiteTexts'>;
  expect(left).toEqual({ de: texts.de, en: texts.en });
});

test('without own texts the standard stands there again', async () => {
  for (const id of [siteId, 0]) {
    const { texts } = (await api.admin.get(path(id))).body as WebSchema<'SiteTexts'>;
    const empty = Object.fromEntries(
      Object.entries(texts).map(([language, written]) => [
        language,
        Object.fromEntries(Object.keys(written).map((name) => [name, ''])),
      ]),
    );
    expect((await api.admin.patch(path(id), { texts: empty })).status).toBe(204);
    expect((await api.admin.get(path(id))).body).toMatchObject({ texts: {} });
  }
  expect((await preview({})).slip).toMatchObject({ siteName: 'Hotel <b>', text: 'Bis bald!' });
});
