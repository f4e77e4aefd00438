import { beforeAll, expect, test } from '@jest/globals';
import { newId, nodeSystem } from '../../../src/lib/system.js';
import { idempotencyTtlMs, type IdempotencyClaim } from '../../../src/vouchers/idempotencyKeyTable.js';
import type { Intent } from '../../../src/vouchers/intentTable.js';
import { addSite, someIntent, someKey, someRecord, someTime } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

export const idempotencyKeyConformance = (shared: () => Shared): void => {
  let place: { siteId: number; controllerId: number };
  let apiKeyId: number;
  beforeAll(async () => {
    place = await addSite(shared().tables);
    apiKeyId = await shared().tables.apiKeys.add(someKey());
  });

  const newClaim = (values: Partial<IdempotencyClaim> = {}): IdempotencyClaim => ({
    apiKeyId,
    idempotencyKey: newId(nodeSystem),
    fingerprint: 'a body',
    ...values,
  });
  const begin = (claim: IdempotencyClaim, intent: Intent = someIntent(place.siteId)): Promise<boolean> =>
    shared().tables.intents.begin({ intent, claim });
  const find = (claim: IdempotencyClaim, now = someTime) => shared().tables.idempotency.find(claim, now);
  /** A claim whose voucher is recorded. */
  const answered = async (createdAt = someTime): Promise<IdempotencyClaim> => {
    const [claim, intent] = [newClaim(), someIntent(place.siteId, { createdAt })];
    await begin(claim, intent);
    await shared().tables.vouchers.record(someRecord(place, { intentId: intent.id, answer: '"first"' }));
    return claim;
  };

  test('a key that nobody claimed is not found', async () => {
    expect(await find(newClaim())).toBeUndefined();
  });

  test('a claim is written with its intent, and has no answer while its outcome is open', async () => {
    const claim = newClaim();
    expect(await begin(claim)).toBe(true);
    expect(await find(claim)).toStrictEqual({ fingerprint: 'a body', answer: null });
  });

  test('a key that is taken is refused, and the second intent is not written', async () => {
    const claim = newClaim();
    const second = someIntent(place.siteId);
    await begin(claim);
    expect(await begin({ ...claim, fingerprint: 'another body' }, second)).toBe(false);
    expect((await find(claim))?.fingerprint).toBe('a body');
    expect((await shared().tables.intents.all()).map(({ id }) => id)).not.toContain(second.id);
  });

  test('of many claims of one key at once exactly one is accepted', async () => {
    const claim = newClaim();
    const intents = Array.from({ length: 50 }, () => someIntent(place.siteId));
    const accepted = await Promise.all(intents.map((intent) => begin(claim, intent)));
    const winner = intents.filter((_, index) => accepted[index]);
    expect(winner).toHaveLength(1);
    const mine = new Set(intents.map(({ id }) => id));
    const written = (await shared().tables.intents.all()).filter(({ id }) => mine.has(id));
    expect(written).toEqual(winner);
  });

  test('an idempotency key belongs to one API key', async () => {
    const claim = newClaim();
    await begin(claim);
    const other = { ...claim, apiKeyId: await shared().tables.apiKeys.add(someKey()) };
    expect(await find(other)).toBeUndefined();
    expect(await begin(other)).toBe(true);
  });

  test('the first answer is kept with the record of the voucher', async () => {
    expect(await find(await answered())).toStrictEqual({ fingerprint: 'a body', answer: '"first"' });
  });

  test('an answer is kept for 24 hours', async () => {
    const claim = await answered();
    expect(await find(claim, someTime + idempotencyTtlMs - 1)).toBeDefined();
    expect(await find(claim, someTime + idempotencyTtlMs)).toBeUndefined();
  });

  test('after 24 hours the key can be claimed again', async () => {
    const claim = await answered();
    const [early, late] = [-1, 0].map((ms) =>
      someIntent(place.siteId, { createdAt: someTime + idempotencyTtlMs + ms }),
    );
    expect(await begin(claim, early)).toBe(false);
    expect(await begin(claim, late)).toBe(true);
    expect(await find(claim, someTime + idempotencyTtlMs)).toStrictEqual({
      fingerprint: 'a body',
      answer: null,
    });
  });

  test('a claim whose outcome is open does not end by time', async () => {
    const claim = newClaim();
    await begin(claim);
    await shared().tables.idempotency.removeExpired(someTime + 3 * idempotencyTtlMs);
    expect(await find(claim, someTime + 3 * idempotencyTtlMs)).toBeDefined();
    expect(await begin(claim, someIntent(place.siteId, { createdAt: someTime + 3 * idempotencyTtlMs }))).toBe(
      false,
    );
  });

  test('after an answer without a voucher the key is free again', async () => {
    const [claim, intent] = [newClaim(), someIntent(place.siteId)];
    await begin(claim, intent);
    await shared().tables.intents.remove(intent.id);
    expect(await find(claim)).toBeUndefined();
    expect(await begin({ ...claim, fingerprint: 'another body' })).toBe(true);
  });

  test('what is older than 24 hours is removed, and nothing younger', async () => {
    const old = await answered(someTime);
    const young = await answered(someTime + 1);
    await shared().tables.idempotency.removeExpired(someTime + idempotencyTtlMs);
    const keys = await shared().database.read('idempotency_keys').pluck<string[]>('idempotency_key');
    expect(keys).not.toContain(old.idempotencyKey);
    expect(keys).toContain(young.idempotencyKey);
  });

  test('an answer dated more than 24 hours ahead is removed: the clock was set back', async () => {
    const ahead = someTime + 100 * idempotencyTtlMs;
    const claims = [await answered(ahead), await answered(ahead), await answered(ahead + 1)] as const;
    const now = ahead - idempotencyTtlMs;
    expect(await find(claims[0], now)).toBeDefined();
    expect(await find(claims[0], now - 1)).toBeUndefined();
    expect(await begin(claims[1], someIntent(place.siteId, { createdAt: now }))).toBe(false);
    expect(await begin(claims[1], someIntent(place.siteId, { createdAt: now - 1 }))).toBe(true);
    await shared().tables.idempotency.removeExpired(now);
    const keys = await shared().database.read('idempotency_keys').pluck<string[]>('idempotency_key');
    expect(keys).toContain(claims[0].idempotencyKey);
    expect(keys).not.toContain(claims[2].idempotencyKey);
  });

  test('expired keys are removed in batches, so that orders do not wait for all of them', async () => {
    const { database, tables } = shared();
    const old = Array.from({ length: 1250 }, () => ({
      api_key_id: apiKeyId,
      idempotency_key: newId(nodeSystem),
      fingerprint: 'a body',
      intent_id: newId(nodeSystem),
      answer: '"first"',
      created_at: someTime - idempotencyTtlMs,
    }));
    await database.write.batchInsert('idempotency_keys', old, 100);
    const removed: number[] = [];
    const note = (response: unknown, { sql }: { sql: string }): void => {
      if (sql.startsWith('delete')) removed.push(Number(response));
    };
    database.write.on('query-response', note);
    const forgotten = await tables.idempotency.removeExpired(someTime);
    database.write.removeListener('query-response', note);
    expect(forgotten).toBeGreaterThanOrEqual(old.length);
    expect(Math.max(...removed)).toBeLessThanOrEqual(500);
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(forgotten);
  });
};
