import { expect, test } from '@jest/globals';
import { addSite, someIntent, someKey } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

export const intentConformance = (shared: () => Shared): void => {
  const ofSite = async (siteId: number) =>
    (await shared().tables.intents.all()).filter((intent) => intent.siteId === siteId);

  test('an intent is written with site, name, limits, orderer and time', async () => {
    const { tables } = shared();
    const { siteId } = await addSite(tables);
    const intent = someIntent(siteId, {
      name: '2026-11-14_„Größe“ 🎉',
      maxUses: 2_147_483_647,
      expireMinutes: 2_147_483_647,
      down: 1,
      up: 2,
      quotaMb: 2_147_483_647,
    });
    expect(await tables.intents.begin({ intent })).toBe(true);
    expect(await ofSite(siteId)).toStrictEqual([intent]);
  });

  test('how many intents are open can be asked', async () => {
    const { tables } = shared();
    const { siteId } = await addSite(tables);
    const before = await tables.intents.count();
    for (let times = 0; times < 2; times++) await tables.intents.begin({ intent: someIntent(siteId) });
    expect(await tables.intents.count()).toBe(before + 2);
  });

  test('how an order ended that left its outcome open is kept', async () => {
    const { tables } = shared();
    const { siteId } = await addSite(tables);
    const [killed, open, unclocked] = [someIntent(siteId), someIntent(siteId), someIntent(siteId)];
    for (const intent of [killed, open, unclocked]) await tables.intents.begin({ intent });
    const clock = { atLeast: -10_800_500, atMost: -10_799_000 };
    const ended = { at: 3_000_000_000_000, clock, isVoid: false };
    await tables.intents.end(open.id, ended);
    await tables.intents.end(unclocked.id, { ...ended, clock: undefined });
    expect(await ofSite(siteId)).toEqual([
      killed,
      { ...open, ended },
      { ...unclocked, ended: { ...ended, clock: undefined } },
    ]);
  });

  test('a void intent frees its idempotency key', async () => {
    const { tables } = shared();
    const { siteId } = await addSite(tables);
    const claim = { apiKeyId: await tables.apiKeys.add(someKey()), idempotencyKey: 'a', fingerprint: 'b' };
    const intent = someIntent(siteId);
    await tables.intents.begin({ intent, claim });
    await tables.intents.end(intent.id, { at: 1, clock: undefined, isVoid: true });
    expect(await tables.idempotency.find(claim, intent.createdAt)).toBeUndefined();
    expect(await ofSite(siteId)).toMatchObject([{ id: intent.id, ended: { isVoid: true } }]);
  });

  test('an intent that led to no voucher is removed, and no other', async () => {
    const { tables } = shared();
    const { siteId } = await addSite(tables);
    const [first, second] = [someIntent(siteId), someIntent(siteId)];
    await Promise.all([first, second].map((intent) => tables.intents.begin({ intent })));
    await tables.intents.remove(first.id);
    expect(await ofSite(siteId)).toEqual([second]);
  });

  test('many intents at once are all written', async () => {
    const { tables } = shared();
    const { siteId } = await addSite(tables);
    const intents = Array.from({ length: 250 }, () => someIntent(siteId));
    const begun = await Promise.all(intents.map((intent) => tables.intents.begin({ intent })));
    expect(begun.every(Boolean)).toBe(true);
    expect(new Set((await ofSite(siteId)).map(({ id }) => id))).toEqual(new Set(intents.map(({ id }) => id)));
  });

  test('an intent that can not be written does not fail its neighbours', async () => {
    const { tables } = shared();
    const { siteId } = await addSite(tables);
    const [good, bad, other] = [someIntent(siteId), someIntent(2_000_000_000), someIntent(siteId)];
    const outcomes = await Promise.allSettled(
      [good, bad, other].map((intent) => tables.intents.begin({ intent })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await ofSite(siteId)).map(({ id }) => id).sort()).toEqual([good.id, other.id].sort());
  });

  test('intents come oldest first', async () => {
    const { tables } = shared();
    const { siteId } = await addSite(tables);
    for (const createdAt of [3_000_000_000_003, 3_000_000_000_001, 3_000_000_000_002])
      await tables.intents.begin({ intent: someIntent(siteId, { createdAt }) });
    const times = (await ofSite(siteId)).map(({ createdAt }) => createdAt);
    expect(times).toEqual([3_000_000_000_001, 3_000_000_000_002, 3_000_000_000_003]);
  });
};
