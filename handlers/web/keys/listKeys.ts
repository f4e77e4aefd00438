import { groupBy } from '../../../src/lib/collections.js';
import type { WebHandler } from '../handler.js';
import { toKeyReply } from '../replies.js';

export const listKeys: WebHandler<'listKeys'> = async ({ reply }, { keys, keyUsage }) => {
  const [all, usage] = await Promise.all([keys.list(), keyUsage.lastDay()]);
  const byKey = groupBy(usage, ({ keyId }) => keyId);
  const newestFirst = all.toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  return reply(200, { keys: newestFirst.map((key) => toKeyReply(key, byKey.get(key.id))) });
};
