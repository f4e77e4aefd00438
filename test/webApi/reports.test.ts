import { beforeAll, expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { makeClock } from '../support/clock.js';
import { signInNew } from '../support/web.js';

const clock = makeClock(Date.parse('2026-11-14T12:00:00.000Z'));
const api = withAdmin({ system: { now: clock.now } });
const period = 'from=2026-11-01&to=2026-11-30&timeZone=Europe/Berlin';

let [nord, sued]: number[] = [];
beforeAll(async () => {
  [nord, sued] = [await api.addSite({ name: 'Nord' }), await api.addSite({ name: '=Süd' })];
  const controller = async (siteId: number): Promise<number> =>
    (await api.database.read('sites').where({ id: siteId }).first<{ controller_id: number }>()).controller_id;
  const rows = [
    // 00:30 of 14 November in Berlin.
    { site_id: nord, created_at: Date.parse('2026-11-13T23:30:00Z'), used_count: 1 },
    { site_id: nord, created_at: clock.now() - 1000, used_count: 0, expires_at: clock.now() + 3_600_000 },
    { site_id: sued, created_at: Date.parse('2026-10-31T23:00:00Z'), used_count: 0 },
    { site_id: sued, created_at: Date.parse('2026-10-31T22:59:59Z'), used_count: 0 },
  ];
  for (const [index, row] of rows.entries())
    await api.database.write('vouchers').insert({
      code: String(index),
      name: String(index),
      controller_id: await controller(row.site_id),
      max_uses: 2,
      expire_minutes: 60,
      status: 'valid',
      actor_kind: 'user',
      actor_name: 'Anna',
      source: 'Anna',
      ...row,
    });
});

test('administrators get the vouchers of all sites, in the days of a time zone', async () => {
  const answer = await api.admin.get(`/reports?${period}`);
  expect(answer.body).toMatchObject({
    ...{ created: 3, used: 1, timeZone: 'Europe/Berlin' },
    sites: [
      { id: nord, name: 'Nord', created: 2, used: 1 },
      { id: sued, name: '=Süd', created: 1, used: 0 },
    ],
    states: [
      { state: 'valid', created: 2, used: 0 },
      { state: 'in-use', created: 1, used: 1 },
    ],
    profiles: [{ id: null, name: null, created: 3, used: 1 }],
    creators: [{ name: 'Anna', kind: 'user', created: 3, used: 1 }],
  });
  const { days } = answer.body as { days: { date: string; created: number }[] };
  expect(days).toHaveLength(30);
  expect(days.filter(({ created }) => created > 0)).toMatchObject([
    { date: '2026-11-01', created: 1 },
    { date: '2026-11-14', created: 2 },
  ]);
  expect((await api.admin.get('/overview?timeZone=Europe/Berlin')).body).toMatchObject({
    figures: { createdToday: 2, inUse: 1, endingToday: 1 },
  });
});

test('a report that is read again and again still sees vouchers expire', async () => {
  const valid = async (): Promise<unknown> => {
    const { body } = await api.admin.get(`/reports?${period}&state=valid`);
    return (body as { created: number }).created;
  };
  const before = await valid();
  clock.advance(3_590_000);
  expect(await valid()).toBe(before);
  clock.advance(50_000);
  await valid();
  clock.advance(50_000);
  expect(await valid()).toBe(Number(before) - 1);
  clock.advance(-3_690_000);
});

test('the file has a line for each day, site, creator, profile and state, and no formulas', async () => {
  const answer = await api.admin.get(`/reports.csv?${period}&language=de`);
  expect(answer.headers['content-disposition']).toBe(
    'attachment; filename="vouchers-2026-11-01-2026-11-30.csv"',
  );
  expect(answer.text).toBe(
    [
      '\uFEFF"Tag";"Standort";"Erstellt von";"Profil";"Zustand";"Erstellt";"Benutzt"',
      '"2026-11-01";"\'=Süd";"Anna";"";"valid";"1";"0"',
      '"2026-11-14";"Nord";"Anna";"";"in-use";"1";"1"',
      '"2026-11-14";"Nord";"Anna";"";"valid";"1";"0"',
      '',
    ].join('\r\n'),
  );
});

test('staff get their sites without who created vouchers, and nobody else gets anything', async () => {
  const staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: [Number(sued)] });
  expect((await staff.get(`/reports?${period}`)).body).toMatchObject({
    ...{ created: 1, creators: null },
    sites: [{ id: sued }],
  });
  // A site that is not theirs looks as if it had no vouchers.
  expect((await staff.get(`/reports?${period}&siteId=${String(nord)}`)).body).toMatchObject({ created: 0 });
  expect((await staff.get(`/reports.csv?${period}`)).text).not.toContain('Anna');
  expect((await staff.get(`/reports?${period}&createdBy=Anna`)).body).toMatchObject({ created: 0 });
  const owner = await signInNew(api, api.admin, { name: 'Eva', role: 'viewer', siteIds: [Number(nord)] });
  expect((await owner.get(`/reports?${period}`)).body).toMatchObject({
    created: 2,
    creators: [{ name: 'Anna' }],
  });
});

test.each([
  ['from=2026-11-02&to=2026-11-01&timeZone=UTC', 'period-invalid'],
  ['from=2024-01-01&to=2026-01-01&timeZone=UTC', 'period-invalid'],
  ['from=2026-02-30&to=2026-03-01&timeZone=UTC', 'period-invalid'],
  ['from=2026-11-01&to=2026-11-02&timeZone=Mars/Olympus', 'time-zone-unknown'],
])('a period of %s is refused', async (query, message) => {
  for (const path of ['/reports', '/reports.csv'])
    expect(await api.admin.get(`${path}?${query}`)).toMatchObject({ status: 400, body: { message } });
});
