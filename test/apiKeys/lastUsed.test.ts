import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { makeClock } from '../support/clock.js';

const clock = makeClock();
const start = clock.now();

const api = withApi({ system: { now: clock.now } });

/** When the key was last used, according to the database. Its only writer writes in turn, so nothing is on its way. */
const lastUsed = async (key: string): Promise<number | null> => {
  const row = await api.database
    .write('api_keys')
    .where('prefix', key.slice(4, 12))
    .first<{ last_used_at: number | null }>('last_used_at');
  return row.last_used_at;
};
const use = (key: string) => api.get('/sites.php', { key });

test('last_used_at is written at most once a minute per key', async () => {
  const [key, other] = [await api.addKey(), await api.addKey()];
  expect(await lastUsed(key)).toBeNull();
  await use(key);
  expect(await lastUsed(key)).toBe(start);
  clock.advance(59_999);
  await use(key);
  expect(await lastUsed(key)).toBe(start);
  await use(other);
  expect(await lastUsed(other)).toBe(start + 59_999);
  clock.advance(1);
  await use(key);
  expect(await lastUsed(key)).toBe(start + 60_000);
});

test('a key that is refused was not used', async () => {
  const key = await api.addKey({ expiresAt: clock.now() });
  expect((await use(key)).status).toBe(401);
  expect(await lastUsed(key)).toBeNull();
});
