import { groupBy } from '../../src/lib/collections.js';
import type { WebHandlers } from './handler.js';
import { toKeyReply } from './replies.js';
import { parseTimestamp } from '../../src/lib/timestamp.js';
import { actorOf } from '../../src/auth/account.js';

export const keyHandlers = {
  listKeys: async ({ reply }, { keys, keyUsage }) => {
    const [all, usage] = await Promise.all([keys.list(), keyUsage.lastDay()]);
    const byKey = groupBy(usage, ({ keyId }) => keyId);
    const newestFirst = all.toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id);
    return reply(200, { keys: newestFirst.map((key) => toKeyReply(key, byKey.get(key.id))) });
  },

  createKey: async ({ input, principal, reply, client }, { keys }) => {
    const { name, scope, rateLimit, expiresAt } = input.body;
    const { key, secret } = await keys.create(
      { name, scope, rateLimit, expiresAt: expiresAt === null ? null : parseTimestamp(expiresAt) },
      actorOf(principal, client),
    );
    return reply(201, { key: toKeyReply(key), secret });
  },

  revokeKey: async ({ input, principal, reply, client }, { keys }) => {
    await keys.revoke(input.path.keyId, actorOf(principal, client));
    return reply(204);
  },

  restoreKey: async ({ input, principal, reply, client }, { keys }) => {
    await keys.restore(input.path.keyId, actorOf(principal, client));
    return reply(204);
  },
} satisfies Partial<WebHandlers>;
