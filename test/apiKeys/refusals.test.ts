import { beforeAll, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { testCases } from '../support/cases.js';
import { makeClock } from '../support/clock.js';
import { unauthorized } from '../support/refusal.js';
import type { Answer } from '../support/service.js';
import { until } from '../support/until.js';

const clock = makeClock();
let missing: Answer;

const api = withApi({ system: { now: clock.now }, key: { rateLimit: 10 } });

beforeAll(async () => {
  missing = await api.get('/sites.php');
});

/** All that a client can tell one refusal from another by. */
const seen = ({ status, headers, text }: Answer) => {
  const { date: _date, 'x-request-id': _id, ...rest } = headers;
  return { status, headers: rest, text };
};
const bearer = (value: string): Promise<Answer> => api.get('/sites.php', { key: value });

test('a missing key is answered 401 unauthorized with WWW-Authenticate: Bearer [key-401-body messages-german]', () => {
  expect(missing).toMatchObject(unauthorized);
  expect(missing.headers['www-authenticate']).toBe('Bearer');
});

testCases<[string, (valid: string) => string]>([
  ['empty', () => ''],
  ['too short', (valid) => valid.slice(0, -1)],
  ['too long', (valid) => `${valid}0`],
  ['in capital letters', (valid) => valid.toUpperCase()],
  ['without uvt_', (valid) => valid.slice(4)],
  ['only a prefix', (valid) => valid.slice(0, 12)],
  ['followed by something', (valid) => `${valid} x`],
  ['a list', (valid) => `${valid},${valid}`],
  ['something else', () => 'null'],
])('a malformed key gets the same answer [key-401-alike]', async (_, malform) => {
  expect(seen(await bearer(malform(api.key)))).toEqual(seen(missing));
  expect(seen(await api.get('/sites.php', { headers: { 'X-API-Key': malform(api.key) } }))).toEqual(
    seen(missing),
  );
});

testCases(['Basic', 'Digest', 'Bearer:', 'Token', ''])(
  'a valid key under another scheme gets the same answer',
  async (scheme) => {
    const headers = { Authorization: `${scheme} ${api.key}`.trim() };
    expect(seen(await api.get('/sites.php', { headers }))).toEqual(seen(missing));
  },
);

test('an unknown key gets the same answer, also one with the prefix of a known one [key-401-alike]', async () => {
  expect(seen(await bearer(`uvt_${'0'.repeat(40)}`))).toEqual(seen(missing));
  expect(seen(await bearer(api.key.slice(0, 12) + '0'.repeat(32)))).toEqual(seen(missing));
});

test('a revoked key gets the same answer [key-401-alike]', async () => {
  const revoked = await api.addKey({ rateLimit: 10 });
  await api.tables.apiKeys.revoke(revoked.slice(4, 12), clock.now());
  // The service may have seen the key before it was revoked, and then holds it until it looks again.
  const refused = await until('the key is refused', async () => {
    const answer = await bearer(revoked);
    return answer.status === 401 && answer;
  });
  expect(seen(refused)).toEqual(seen(missing));
});

test('an expired key gets the same answer, from the moment of its expiry [key-401-alike]', async () => {
  const ending = await api.addKey({ rateLimit: 10, expiresAt: clock.now() + 1000 });
  clock.advance(999);
  expect((await bearer(ending)).status).toBe(200);
  clock.advance(1);
  expect(seen(await bearer(ending))).toEqual(seen(missing));
});

test('the answer is the same for a method that is not allowed', async () => {
  expect(seen(await api.request('PUT', '/sites.php'))).toEqual(seen(missing));
});
