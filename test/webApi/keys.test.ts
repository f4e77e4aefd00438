import { expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { makeClock } from '../support/clock.js';
import { until } from '../support/until.js';
import { adminPassword, signIn, type Browser } from '../support/web.js';

const clock = makeClock();
const api = withAdmin({ system: { now: clock.now }, perTest: 'service' });

interface Key {
  id: number;
  name: string;
  prefix: string;
  state: string;
  usage: { at: string; requests: number; refusals: number }[];
}

const create = async (admin: Browser, fields: object = {}): Promise<{ key: Key; secret: string }> => {
  const answer = await admin.post('/keys', { name: 'Buchungssystem', scope: 'write', ...fields });
  expect(answer.status).toBe(201);
  return answer.body as { key: Key; secret: string };
};
const list = async (admin: Browser): Promise<Key[]> =>
  ((await admin.get('/keys')).body as { keys: Key[] }).keys;
const audit = async (admin: Browser): Promise<{ action: string; detail: object }[]> =>
  ((await admin.get('/audit?area=key')).body as { entries: { action: string; detail: object }[] }).entries;
const useKey = (key: string) => api.get('/sites.php', { key });

test('a key is shown once, works, and is listed without what is secret', async () => {
  const { key, secret } = await create(api.admin, { rateLimit: 7, expiresAt: '2999-12-31T00:00:00Z' });
  expect(secret).toMatch(/^uvt_[0-9a-f]{40}$/);
  expect(key).toMatchObject({
    name: 'Buchungssystem',
    prefix: secret.slice(0, 12),
    scope: 'write',
    rateLimit: 7,
    expiresAt: '2999-12-31T00:00:00.000Z',
    state: 'valid',
    usage: [],
  });
  expect((await useKey(secret)).status).toBe(200);
  const listed = await api.admin.get('/keys');
  expect(listed.text).not.toContain(secret.slice(12));
  expect(listed.text).not.toContain('hash');
  expect(await audit(api.admin)).toMatchObject([
    {
      action: 'key.create',
      actorKind: 'user',
      actorName: 'Anna Berger',
      subjectKind: 'key',
      subjectId: String(key.id),
      subjectName: 'Buchungssystem',
      detail: { scope: 'write', rateLimit: 7, expiresAt: '2999-12-31T00:00:00.000Z' },
    },
  ]);
});

test('keys are listed newest first', async () => {
  await create(api.admin, { name: 'alt' });
  clock.advance(1000);
  await create(api.admin, { name: 'neu' });
  expect((await list(api.admin)).map(({ name }) => name)).toEqual(['neu', 'alt']);
});

test('a name that is not valid is refused, and nothing is stored', async () => {
  const cases: [string, object, number, string][] = [
    ['of a demo', { name: 'voucherd demo' }, 409, 'name-reserved'],
    ['that is empty', { name: ' \u0000 ' }, 400, 'name-invalid'],
    ['with a line break', { name: 'a\nb' }, 400, 'name-invalid'],
    ['that turns the reading direction', { name: 'a\u202Eb' }, 400, 'name-invalid'],
    ['of 256 characters', { name: 'ä'.repeat(256) }, 400, 'name-invalid'],
    ['of 64 KiB', { name: 'x'.repeat(65_536) }, 413, 'too-large'],
  ];
  for (const [name, fields, status, message] of cases) {
    const answer = await api.admin.post('/keys', { scope: 'read', ...fields });
    expect({ name, ...answer }).toMatchObject({ name, status, body: { message } });
    expect(await list(api.admin)).toEqual([]);
  }
});

test('a scope, a limit or an expiry that is not valid is refused', async () => {
  const cases: [string, object, string][] = [
    ['a scope that there is not', { scope: 'admin' }, 'scope-invalid'],
    ['a limit below 0', { rateLimit: -1 }, 'rate-limit-invalid'],
    ['a limit beyond a million', { rateLimit: 1_000_001 }, 'rate-limit-invalid'],
    ['an expiry that has passed', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiry-past'],
    ['an expiry that is no time', { expiresAt: 'morgen' }, 'time-invalid'],
    [
      'an expiry that is after the year 9999 in UTC',
      { expiresAt: '9999-12-31T23:59:59-23:59' },
      'time-invalid',
    ],
  ];
  for (const [name, fields, message] of cases) {
    const answer = await api.admin.post('/keys', { name: 'x', scope: 'read', ...fields });
    expect({ name, ...answer }).toMatchObject({ name, status: 400, body: { message } });
    expect(await list(api.admin)).toEqual([]);
  }
});

test('script and formulas in a name come back as they were sent, and defused in a file', async () => {
  const name = '<script>alert(1)</script>=1+1"\';--';
  await create(api.admin, { name });
  expect((await list(api.admin))[0]?.name).toBe(name);
  expect((await api.admin.get('/audit.csv?area=key')).text).toContain(
    `"<script>alert(1)</script>=1+1""';'--"`,
  );
});

test('a revoked key is refused within a second, and works again within a second when it is restored', async () => {
  const { key, secret } = await create(api.admin);
  expect((await useKey(secret)).status).toBe(200);
  expect((await api.admin.delete(`/keys/${String(key.id)}`)).status).toBe(204);
  await until('the key is refused', async () => (await useKey(secret)).status === 401 || undefined);
  expect((await list(api.admin))[0]?.state).toBe('revoked');
  clock.advance(59_000);
  expect((await api.admin.post(`/keys/${String(key.id)}/restore`)).status).toBe(204);
  expect((await useKey(secret)).status).toBe(200);
  expect((await audit(api.admin)).map(({ action }) => action)).toEqual([
    'key.restore',
    'key.revoke',
    'key.create',
  ]);
});

test('after a minute a key can not be restored', async () => {
  const { key } = await create(api.admin);
  await api.admin.delete(`/keys/${String(key.id)}`);
  clock.advance(60_001);
  expect(await api.admin.post(`/keys/${String(key.id)}/restore`)).toMatchObject({
    status: 409,
    body: { message: 'restore-too-late' },
  });
  expect((await list(api.admin))[0]?.state).toBe('revoked');
});

test('a key that is not revoked is not restored; one that is revoked stays as it is', async () => {
  const { key } = await create(api.admin);
  expect(await api.admin.post(`/keys/${String(key.id)}/restore`)).toMatchObject({
    status: 409,
    body: { message: 'key-not-revoked' },
  });
  await api.admin.delete(`/keys/${String(key.id)}`);
  expect((await api.admin.delete(`/keys/${String(key.id)}`)).status).toBe(204);
  expect((await audit(api.admin)).filter(({ action }) => action === 'key.revoke')).toHaveLength(1);
});

test('requests and refusals of a key are counted by hour, for the last 24 hours', async () => {
  const { secret } = await create(api.admin, { scope: 'read', rateLimit: 3 });
  const hour = new Date(clock.now() - (clock.now() % 3_600_000)).toISOString();
  await useKey(secret);
  // Beyond its scope, and then beyond its limit.
  const order = { site_id: 1, name: 'x' };
  expect((await api.post('/vouchers.php', order, { key: secret })).status).toBe(403);
  await useKey(secret);
  expect((await useKey(secret)).status).toBe(429);
  expect((await list(api.admin))[0]?.usage).toEqual([{ at: hour, requests: 4, refusals: 2 }]);
  clock.advance(3_600_000);
  await useKey(secret);
  const later = new Date(Date.parse(hour) + 3_600_000).toISOString();
  expect((await list(api.admin))[0]?.usage).toEqual([
    { at: hour, requests: 4, refusals: 2 },
    { at: later, requests: 1, refusals: 0 },
  ]);
  clock.advance(23 * 3_600_000);
  const again = await list(await signIn(api, 'Anna Berger', adminPassword));
  expect(again[0]?.usage).toEqual([{ at: later, requests: 1, refusals: 0 }]);
});
