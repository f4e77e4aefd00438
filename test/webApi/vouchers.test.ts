import { beforeAll, describe, expect, test } from '@jest/globals';
import { toCsvTime } from '../../src/lib/csv.js';
import type { VoucherRecord } from '../../src/vouchers/voucherTable.js';
import { withAdmin } from '../support/api.js';
import { addSite, someRecord, someTime, someVoucher } from '../support/records.js';
import { signInNew, type Browser } from '../support/web.js';

const api = withAdmin({ development: true });

interface Page {
  vouchers: { id: number; name: string; siteName: string; state: string; formattedCode: string }[];
  next: string | null;
}
let staff: Browser;
let own: Awaited<ReturnType<typeof addSite>>;
let other: typeof own;

const find = async (browser: Browser, query: Record<string, string> = {}): Promise<Page> => {
  const answer = await browser.get(`/vouchers?${new URLSearchParams(query).toString()}`);
  expect(answer.status).toBe(200);
  return answer.body as Page;
};
const names = async (browser: Browser, query: Record<string, string> = {}): Promise<string[]> =>
  (await find(browser, query)).vouchers.map(({ name }) => name);

const record = async (
  place: typeof own,
  voucher: Parameters<typeof someVoucher>[0],
  more: Partial<VoucherRecord> = {},
): Promise<number> => {
  const made = someRecord(place, { ...more, voucher: someVoucher(voucher) });
  await api.tables.vouchers.record(made);
  return (await api.tables.voucherSearch.byCode(made.vouchers[0]!.code))[0]!.id;
};

let bergerId: number;
let foreignId: number;

beforeAll(async () => {
  const { tables } = api.app;
  own = await addSite(tables, 'Hauptgebäude');
  other = await addSite(tables, 'Anderswo');
  staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: [own.siteId] });
  const profile = await api.admin.post('/profiles', { name: 'Tagesgast', maxUses: 1, expireMinutes: 1440 });
  const profileId = (profile.body as { id: number }).id;
  bergerId = await record(
    own,
    { name: '2026-11-14_Familie Berger', code: '1234567890', createdAt: someTime },
    { source: 'Anna Berger', actorKind: 'user', actorName: 'Anna Berger', profileId },
  );
  await record(own, {
    name: '=1+1,"x"',
    code: '0000011111',
    createdAt: someTime + 1,
    status: 'used',
    usedCount: 1,
  });
  foreignId = await record(other, { name: 'Bergheim', code: '5555566666', createdAt: someTime + 2 });
});

test('staff find the vouchers of their sites only, administrators all', async () => {
  expect(await names(api.admin)).toEqual(['Bergheim', '=1+1,"x"', '2026-11-14_Familie Berger']);
  expect(await names(staff)).toEqual(['=1+1,"x"', '2026-11-14_Familie Berger']);
  expect(await names(staff, { siteId: String(other.siteId) })).toEqual([]);
  expect(await names(api.admin, { siteId: String(other.siteId) })).toEqual(['Bergheim']);
});

test.each([
  ['a code with its dash', { text: '12345-67890' }],
  ['a part of a code with its dash', { text: '12345-6' }],
  ['the beginning of a code', { text: '1234567' }],
  ['the second block', { text: '67890' }],
  ['the beginning of a word, whatever its case', { text: 'BERGer' }],
  ['two words', { text: ' berg fam ' }],
  ['words that are typed many times', { text: `familie ${'fa '.repeat(60)}ber` }],
  ['a profile', { profileId: '1' }],
  ['who created it', { createdBy: 'Anna Berger' }],
  ['a time', { to: '2026-11-14T09:30:00.001Z' }],
  [
    'a state and a time',
    { state: 'valid', from: '2026-11-14T09:30:00.000Z', to: '2026-11-14T09:30:00.001Z' },
  ],
])('a voucher is found by %s', async (_name, query) => {
  expect(await names(staff, query as Record<string, string>)).toEqual(['2026-11-14_Familie Berger']);
});

test('what is shown of a voucher', async () => {
  expect((await find(staff, { text: 'berger' })).vouchers).toEqual([
    {
      id: bergerId,
      code: '1234567890',
      formattedCode: '12345-67890',
      name: '2026-11-14_Familie Berger',
      siteId: own.siteId,
      siteName: 'Hauptgebäude',
      state: 'valid',
      maxUses: 1,
      usedCount: 0,
      expireMinutes: 480,
      ...{ down: 0, up: 0, quotaMb: 0 },
      createdAt: '2026-11-14T09:30:00.000Z',
      expiresAt: null,
      createdBy: 'Anna Berger',
      creatorKind: 'user',
      profileName: 'Tagesgast',
    },
  ]);
  expect((await staff.get(`/vouchers/${String(bergerId)}`)).body).toMatchObject({ id: bergerId, emails: [] });
});

test('a voucher of another site is not there for staff', async () => {
  for (const id of [foreignId, 999_999])
    expect((await staff.get(`/vouchers/${String(id)}`)).status).toBe(404);
  expect((await api.admin.get(`/vouchers/${String(foreignId)}`)).status).toBe(200);
});

test.each([
  ['another state', { state: 'lost' }, 'request-invalid'],
  ['a cursor that is none', { cursor: '1;drop table vouchers' }, 'cursor-invalid'],
  ['a time that is none', { from: 'gestern' }, 'time-invalid'],
])('%s: 400', async (_name, query, message) => {
  const answer = await api.admin.get(
    `/vouchers?${new URLSearchParams(query as Record<string, string>).toString()}`,
  );
  expect(answer).toMatchObject({ status: 400, body: { message } });
});

test.each([`' or 1=1 --`, '%', '%%%', '_', '"', '\u200B', '💥', '\\', '-', `x${'y'.repeat(200)}`])(
  'a text that is in no voucher finds nothing, also without a letter or a digit: %j',
  async (text) => {
    expect(await names(api.admin, { text })).toEqual([]);
    const file = (await api.admin.get(`/vouchers.csv?${new URLSearchParams({ text }).toString()}`)).text;
    expect(file.trimEnd().split('\r\n').length).toBe(1);
  },
);

test.each(['', ' ', '\u0000', '\u00A0\t'])('an empty text filters nothing out: %j', async (text) => {
  expect((await names(api.admin, { text })).length).toBe(3);
});

test.each(['/vouchers?text=a&text=b', '/vouchers?siteId=x', '/vouchers.csv?text=a&text=b'])(
  'a parameter that the pages never send is refused with a message that they have in every language: %s',
  async (path) =>
    expect(await api.admin.get(path)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', message: 'request-invalid' },
    }),
);

describe('a file', () => {
  const csv = (...lines: string[]): string =>
    [
      '\uFEFF"code","name","site","state","max uses","used","valid minutes","download kbit/s","upload kbit/s","data MB","created at","expires at","created by","creator kind","profile"',
      ...lines,
      '',
    ].join('\r\n');
  // As spreadsheets read it, in the time zone of the service.
  const localTime = toCsvTime('2026-11-14T09:30:00.000Z');
  const formula = `"00000-11111","'=1+1,""x""","Hauptgebäude","used","1","1","480","0","0","0","${localTime}","","Buchungssystem","key",""`;
  const berger = `"12345-67890","Familie Berger","Hauptgebäude","valid","1","0","480","0","0","0","${localTime}","","Anna Berger","user","Tagesgast"`;

  test('holds what the filter lets through, with formulas defused', async () => {
    const answer = await staff.get('/vouchers.csv');
    expect(answer).toMatchObject({
      status: 200,
      text: csv(formula, berger),
      headers: { 'content-disposition': 'attachment; filename="vouchers.csv"' },
    });
    expect(answer.headers['content-type']).toMatch(/^text\/csv/);
    expect((await staff.get('/vouchers.csv?text=berger')).text).toBe(csv(berger));
    const manyWords = `familie ${'fa '.repeat(60)}ber`;
    expect((await staff.get(`/vouchers.csv?text=${encodeURIComponent(manyWords)}`)).text).toBe(csv(berger));
  });

  test('has headings and separators in the language of who exports; the values stay as they are', async () => {
    const heading =
      '\uFEFF"Code";"Name";"Standort";"Zustand";"Anmeldungen erlaubt";"Anmeldungen bisher";"Gültig (Minuten)";"Download (kbit/s)";"Upload (kbit/s)";"Datenmenge (MB)";"Erstellt am";"Läuft ab am";"Erstellt von";"Erstellt von (Art)";"Profil"';
    const german = [heading, berger.replaceAll('","', '";"'), ''].join('\r\n');
    expect((await staff.get('/vouchers.csv?text=berger&language=de')).text).toBe(german);
    expect((await staff.post('/vouchers/exports?language=de', { voucherIds: [bergerId] })).text).toBe(german);
    expect((await api.admin.get('/audit.csv?language=de')).text).toMatch(/^\uFEFF"Zeit";"/);
    const french = await staff.get('/vouchers.csv?text=berger&language=fr');
    expect(french.text).toBe(
      [
        '\uFEFF"Code";"Nom";"Site";"État";"Connexions autorisées";"Connexions effectuées";"Validité (minutes)";"Débit descendant (kbit/s)";"Débit montant (kbit/s)";"Données (Mo)";"Créé le";"Expire le";"Créé par";"Créé par (type)";"Profil"',
        ...german.split('\r\n').slice(1),
      ].join('\r\n'),
    );
    const dutch = await api.admin.get('/audit.csv?language=nl');
    expect(dutch.text).toMatch(/^\uFEFF"Datum en tijd";"/);
    expect(await staff.get('/vouchers.csv?language=pl')).toMatchObject({
      status: 400,
      body: { message: 'language-invalid' },
    });
    await staff.put('/account/language', { language: 'de' });
    expect((await staff.get('/vouchers.csv?text=berger')).text).toBe(german);
    await staff.put('/account/language', { language: 'it' });
    expect((await staff.get('/vouchers.csv?text=berger')).text).toMatch(/^\uFEFF"Codice";"Nome";"Sede";/);
    await staff.put('/account/language', { language: 'en' });
  });

  test('holds what was selected, in that order', async () => {
    const answer = await staff.post('/vouchers/exports', { voucherIds: [bergerId] });
    expect(answer).toMatchObject({ status: 200, text: csv(berger) });
    expect((await staff.post('/vouchers/exports', { voucherIds: [bergerId, foreignId] })).status).toBe(404);
    expect((await staff.post('/vouchers/exports', {})).status).toBe(400);
  });
});

test('thousands are read page by page, and exported as a whole', async () => {
  const place = await addSite(api.tables, 'Großes Haus');
  for (let order = 0; order < 3; order += 1)
    await api.tables.vouchers.record({
      ...someRecord(place),
      vouchers: Array.from({ length: 400 }, (_, index) => ({
        ...someVoucher({ name: `Tagung ${String(order)}`, createdAt: someTime - index }),
        controllerVoucherId: null,
      })),
    });
  const ids = new Set<number>();
  let cursor: string | null = '';
  let pages = 0;
  while (cursor !== null) {
    const page: Page = await find(api.admin, { siteId: String(place.siteId), ...(cursor && { cursor }) });
    for (const { id } of page.vouchers) ids.add(id);
    cursor = page.next;
    pages += 1;
  }
  expect([pages, ids.size]).toEqual([12, 1200]);
  const { text } = await api.admin.get(`/vouchers.csv?siteId=${String(place.siteId)}`);
  expect(text.split('\r\n')).toHaveLength(1202);
});
