import { expect, test } from '@jest/globals';
import { someKey, someTime } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

export const apiKeyConformance = (shared: () => Shared): void => {
  test('a key is stored with name, prefix, hash, scope, limit, creation and expiry', async () => {
    const { apiKeys } = shared().tables;
    const key = someKey({
      name: 'Rezeption ☎',
      scope: 'read',
      rateLimit: 1_000_000,
      expiresAt: someTime + 1,
    });
    const id = await apiKeys.add(key);
    const stored = (await apiKeys.all()).find((one) => one.id === id);
    expect(stored).toStrictEqual({ ...key, id, lastUsedAt: null, revokedAt: null });
  });

  test('two keys may share a prefix', async () => {
    const { apiKeys } = shared().tables;
    const first = await apiKeys.add(someKey({ prefix: '0badcafe' }));
    const second = await apiKeys.add(someKey({ prefix: '0badcafe' }));
    const usable = (await apiKeys.usable()).filter(({ prefix }) => prefix === '0badcafe');
    expect(usable.map(({ id }) => id).sort((a, b) => a - b)).toEqual([first, second]);
  });

  test('a revoked key is no longer usable, and stays in the list with the time', async () => {
    const { apiKeys } = shared().tables;
    const { prefix } = someKey();
    const id = await apiKeys.add(someKey({ prefix }));
    expect(await apiKeys.revoke(prefix, someTime + 5)).toBe(1);
    expect((await apiKeys.usable()).map((key) => key.id)).not.toContain(id);
    expect((await apiKeys.all()).find((key) => key.id === id)?.revokedAt).toBe(someTime + 5);
  });

  test('the expiry of a key can be changed, unless it is revoked, and that raises the revision', async () => {
    const { apiKeys, revisions } = shared().tables;
    const { prefix } = someKey();
    const id = await apiKeys.add(someKey({ prefix, expiresAt: someTime }));
    const expiry = async () => (await apiKeys.all()).find((key) => key.id === id)?.expiresAt;
    const before = await revisions.current('keys');
    await apiKeys.setExpiry(id, someTime + 5);
    expect([await expiry(), await revisions.current('keys')]).toEqual([someTime + 5, before + 1]);
    await apiKeys.revoke(prefix, someTime);
    await apiKeys.setExpiry(id, someTime + 9);
    expect(await expiry()).toBe(someTime + 5);
  });

  test('a key that is revoked already keeps its time', async () => {
    const { apiKeys } = shared().tables;
    const { prefix } = someKey();
    const id = await apiKeys.add(someKey({ prefix }));
    await apiKeys.revoke(prefix, someTime + 5);
    expect(await apiKeys.revoke(prefix, someTime + 9)).toBe(0);
    expect((await apiKeys.all()).find((key) => key.id === id)?.revokedAt).toBe(someTime + 5);
  });

  test('only the key of an id is revoked, though another has its prefix', async () => {
    const { apiKeys } = shared().tables;
    const { prefix } = someKey();
    const [id, other] = [await apiKeys.add(someKey({ prefix })), await apiKeys.add(someKey({ prefix }))];
    expect(await apiKeys.revoke(id, someTime)).toBe(1);
    expect([(await apiKeys.find(id))?.revokedAt, (await apiKeys.find(other))?.revokedAt]).toEqual([
      someTime,
      null,
    ]);
  });

  test('a key is restored if it was revoked in a span of time, and that raises the revision', async () => {
    const { apiKeys, revisions } = shared().tables;
    const audit = {
      at: someTime,
      actorKind: 'system',
      actorName: null,
      address: null,
      action: 'key.restore',
      detail: {},
    } as const;
    const id = await apiKeys.add(someKey());
    const restore = (from: number, to: number) => apiKeys.restore(id, { from, to }, audit);
    expect(await restore(0, someTime)).toBe(false);
    await apiKeys.revoke(id, someTime + 5);
    expect([await restore(someTime + 6, someTime + 9), await restore(someTime, someTime + 4)]).toEqual([
      false,
      false,
    ]);
    const before = await revisions.current('keys');
    expect(await restore(someTime + 5, someTime + 5)).toBe(true);
    expect(await revisions.current('keys')).toBe(before + 1);
    expect((await apiKeys.usable()).map((key) => key.id)).toContain(id);
  });

  test('the last use of a key is noted', async () => {
    const { apiKeys } = shared().tables;
    const id = await apiKeys.add(someKey());
    await apiKeys.noteUse(id, someTime + 60_000);
    expect((await apiKeys.all()).find((key) => key.id === id)?.lastUsedAt).toBe(someTime + 60_000);
  });

  test('adding and revoking raise the revision of the keys; noting a use does not', async () => {
    const { apiKeys, revisions } = shared().tables;
    const before = await revisions.current('keys');
    const key = someKey();
    const id = await apiKeys.add(key);
    const added = await revisions.current('keys');
    await apiKeys.noteUse(id, someTime);
    const used = await revisions.current('keys');
    await apiKeys.revoke(key.prefix, someTime);
    const revoked = await revisions.current('keys');
    expect([added > before, used === added, revoked > used]).toEqual([true, true, true]);
  });
};
