import { beforeEach, describe, expect, test } from '@jest/globals';
import { makeListVouchers } from '../../src/vouchers/list.js';
import type { StoredVoucher } from '../../src/vouchers/voucherTable.js';
import { peopleDatabases } from '../support/authFixture.js';
import { forAllTests } from '../support/fixture.js';
import { addSite, someIntent } from '../support/records.js';
import { outboxIdOf } from '../support/outbox.js';
import { dayMs, makeRetentionFixture, noon } from './retentionFixture.js';

const thirtyDays = { RETAIN_VOUCHERS_DAYS: '30' };
/** Just long enough ago: the day began half a day ago. */
const longAgo = noon - 30 * dayMs - dayMs / 2 - 1;

describe.each(peopleDatabases)('vouchers that ended, on %s', (_, make) => {
  const fixture = forAllTests(() => makeRetentionFixture(make), 'remove');
  beforeEach(async () => {
    await fixture.clock.set(noon);
    for (const table of ['outbox', 'voucher_words', 'vouchers', 'orders', 'intents', 'audit_log'])
      await fixture.database.write(table).delete();
  });

  const run = (env: Record<string, string> = thirtyDays) => fixture.retention(env).run();
  const isThere = async ({ id }: Pick<StoredVoucher, 'id'>) =>
    (await fixture.tables.vouchers.byIds([id])).length > 0;
  const codesIn = ({ bytes }: { readonly bytes: Buffer }): string[] =>
    (JSON.parse(bytes.toString()) as { vouchers: { voucher_code: string }[] }).vouchers.map(
      ({ voucher_code: code }) => code,
    );
  const expired = (expiresAt: number | null = longAgo) =>
    fixture.voucher({ status: 'expired', usedCount: 1, expiresAt });

  test('stay for good when nothing is set', async () => {
    const old = [await expired(), await expired(0), await fixture.voucher({}, { revokedAt: 1 })];
    await fixture.clock.advance(10_000 * dayMs);
    expect((await run({}))?.vouchers).toBeUndefined();
    for (const voucher of old) expect(await isThere(voucher)).toBe(true);
  });

  test('go when they expired long enough ago, with their search words, and stay until then', async () => {
    const [gone, stays] = [await expired(), await expired(longAgo + 1)];
    expect(await run()).toMatchObject({ vouchers: 1 });
    expect([await isThere(gone), await isThere(stays)]).toEqual([false, true]);
    const indexed = await fixture.database.read('voucher_words').distinct().pluck('voucher_id');
    expect(indexed).toEqual([stays.id]);
    const found = await fixture.tables.voucherFinder.find(
      { words: ['berger'] },
      { limit: 10, now: fixture.clock.now() },
    );
    expect(found.vouchers.map(({ id }) => id)).toEqual([stays.id]);
  });

  test('leave the next of their order as its first, so that a list of orders has it', async () => {
    const { id } = await fixture.order(3);
    const [first, second, third] = await fixture.tables.vouchers.ofIntent(id);
    await fixture.database
      .write('vouchers')
      .whereIn('id', [first!.id, second!.id])
      .update({ status: 'expired', expires_at: longAgo });
    expect(await run()).toMatchObject({ vouchers: 2 });
    const listed = await fixture.tables.voucherFinder.find(
      { onlyFirstOfOrder: true },
      { limit: 10, now: fixture.clock.now() },
    );
    expect(listed.vouchers.map((voucher) => voucher.id)).toEqual([third!.id]);
  });

  test('go when they were revoked long enough ago, whenever they would have expired', async () => {
    const gone = await fixture.voucher({ expiresAt: noon + dayMs }, { revokedAt: longAgo });
    const stays = await fixture.voucher({ expiresAt: longAgo }, { revokedAt: longAgo + 1 });
    expect(await run()).toMatchObject({ vouchers: 1 });
    expect([await isThere(gone), await isThere(stays)]).toEqual([false, true]);
  });

  test('stay while their controller has not said that they have ended', async () => {
    const kept = [
      await fixture.voucher({ status: 'valid', expiresAt: null }),
      await fixture.voucher({ status: 'valid', expiresAt: longAgo }),
      await fixture.voucher({ status: 'used', usedCount: 1, expiresAt: longAgo }),
      await fixture.voucher({ status: 'used', usedCount: 1, expiresAt: null }),
    ];
    expect(await run()).toMatchObject({ vouchers: 0 });
    for (const voucher of kept) expect(await isThere(voucher)).toBe(true);
  });

  test('go by their expiry when their controller was removed', async () => {
    const place = await addSite(fixture.tables, 'Geschlossen');
    const [over, used, endless] = [
      await fixture.voucher({ status: 'valid', expiresAt: longAgo }, { place }),
      await fixture.voucher({ status: 'used', usedCount: 1, expiresAt: longAgo }, { place }),
      await fixture.voucher({ status: 'valid', expiresAt: null }, { place }),
    ];
    expect(await run()).toMatchObject({ vouchers: 0 });
    await fixture.database.write('controllers').where('id', place.controllerId).update({ removed_at: noon });
    expect(await run()).toMatchObject({ vouchers: 2 });
    expect([await isThere(over), await isThere(used), await isThere(endless)]).toEqual([false, false, true]);
  });

  test('that vanished before their time began go when that has been known for long enough', async () => {
    const vanished = await expired(null);
    expect(await run()).toMatchObject({ vouchers: 0 });
    await fixture.clock.advance(30 * dayMs);
    expect(await run()).toMatchObject({ vouchers: 0 });
    await fixture.clock.advance(dayMs);
    expect(await run()).toMatchObject({ vouchers: 1 });
    expect(await isThere(vanished)).toBe(false);
  });

  test('that vanished and came back begin anew', async () => {
    const { vouchers } = fixture.tables;
    const back = await expired(null);
    await run();
    await fixture.clock.advance(20 * dayMs);
    await vouchers.correct([{ ...back, status: 'valid' }]);
    await fixture.clock.advance(20 * dayMs);
    await vouchers.correct([{ ...back, status: 'expired' }]);
    expect(await run()).toMatchObject({ vouchers: 0 });
    await fixture.clock.advance(29 * dayMs);
    expect(await run()).toMatchObject({ vouchers: 0 });
    await fixture.clock.advance(2 * dayMs);
    expect(await run()).toMatchObject({ vouchers: 1 });
    expect(await isThere(back)).toBe(false);
  });

  test('take their e-mails with them, but stay for the sake of one that is not sent', async () => {
    const [mailed, waiting] = [await expired(), await expired()];
    const sent = await outboxIdOf(fixture.database, await fixture.email(mailed, noon));
    await fixture.tables.outbox.settle(sent, 'sent', null, noon);
    const unsent = await fixture.email(waiting, noon);
    expect(await run()).toMatchObject({ vouchers: 1, emails: 1 });
    expect([await isThere(mailed), await isThere(waiting)]).toEqual([false, true]);
    expect(await fixture.database.read('outbox').pluck('key')).toEqual([unsent]);
  });

  test('take an order with them when they are its last ones', async () => {
    const [whole, partly] = [
      await fixture.order(3, { status: 'expired', expiresAt: longAgo }),
      await fixture.order(2, { status: 'expired', expiresAt: longAgo }),
    ];
    await fixture.database
      .write('vouchers')
      .where({ intent_id: partly.id, position: 1 })
      .update({ expires_at: noon });
    const before = await fixture.tables.revisions.latest('orders');
    expect(await run()).toMatchObject({ vouchers: 4, orders: 1 });
    expect(await fixture.tables.orders.find(whole.id)).toBeUndefined();
    expect(await fixture.tables.orders.find(partly.id)).toMatchObject({ state: 'made', made: 2 });
    expect(await fixture.tables.vouchers.ofIntent(partly.id)).toHaveLength(1);
    expect(await fixture.tables.revisions.latest('orders')).toBe(before + 1);
  });

  test('stay while an open order may be looking for one of their age', async () => {
    const { siteId } = fixture.place;
    const createdAt = noon - 100 * dayMs;
    const [older, younger] = [
      await fixture.voucher({ status: 'expired', expiresAt: longAgo, createdAt: createdAt - dayMs - 1 }),
      await fixture.voucher({ status: 'expired', expiresAt: longAgo, createdAt: createdAt - dayMs }),
    ];
    const intent = someIntent(siteId, { createdAt });
    await fixture.tables.intents.begin({ intent });
    expect(await run()).toMatchObject({ vouchers: 1 });
    expect([await isThere(older), await isThere(younger)]).toEqual([false, true]);
    expect(await fixture.tables.intents.all()).toHaveLength(1);
    await fixture.database.write('intents').delete();
    expect(await run()).toMatchObject({ vouchers: 1 });
  });

  test('go from other controllers meanwhile', async () => {
    const elsewhere = await addSite(fixture.tables, 'Nebengebäude');
    const createdAt = noon - 100 * dayMs;
    const [waits, goes] = [
      await fixture.voucher({ status: 'expired', expiresAt: longAgo, createdAt }),
      await fixture.voucher({ status: 'expired', expiresAt: longAgo, createdAt }, { place: elsewhere }),
    ];
    // Two on the same controller: the older one counts.
    for (const begun of [createdAt, noon])
      await fixture.tables.intents.begin({
        intent: someIntent(fixture.place.siteId, { createdAt: begun }),
      });
    expect(await fixture.retention(thirtyDays).count(10)).toMatchObject({ vouchers: 1 });
    expect(await run()).toMatchObject({ vouchers: 1 });
    expect([await isThere(waits), await isThere(goes)]).toEqual([true, false]);
  });

  test('vanish from the cached list of their site, and from no other', async () => {
    const list = makeListVouchers(fixture.tables, { ...fixture.clock, randomBytes: () => Buffer.alloc(0) });
    const other = await addSite(fixture.tables, 'Nebengebäude');
    await expired();
    const stays = await fixture.voucher({ createdAt: noon });
    await fixture.voucher({}, { place: other });
    const [before, otherBefore] = [await list(fixture.place.siteId), await list(other.siteId)];
    expect(codesIn(before)).toHaveLength(2);
    await run();
    const after = await list(fixture.place.siteId);
    expect(codesIn(after)).toEqual([stays.code]);
    expect(after).not.toBe(before);
    expect(await list(other.siteId)).toBe(otherBefore);
  });

  test('of many sites go in small batches, and are counted before without being removed', async () => {
    const other = await addSite(fixture.tables, 'Nebengebäude');
    for (const place of [fixture.place, other])
      for (let count = 0; count < 2; count++)
        await fixture.voucher({ status: 'expired', expiresAt: longAgo }, { place });
    await fixture.order(260, { status: 'expired', expiresAt: longAgo });
    const retention = fixture.retention(thirtyDays);
    expect(await retention.count(1000)).toMatchObject({ vouchers: 264, orders: 0 });
    expect(await retention.count(100)).toMatchObject({ vouchers: 100 });
    expect(await fixture.rows('vouchers')).toBe(264);
    expect(await retention.run()).toMatchObject({ vouchers: 264, orders: 1 });
    expect([await fixture.rows('vouchers'), await fixture.rows('voucher_words')]).toEqual([0, 0]);
  });
});
