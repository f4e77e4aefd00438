import { parseTimestamp } from '../../../src/lib/timestamp.js';
import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toKeyReply } from '../replies.js';

export const createKey: WebHandler<'createKey'> = async ({ input, principal, reply, client }, { keys }) => {
  const { name, scope, rateLimit, expiresAt } = input.body;
  const { key, secret } = await keys.create(
    { name, scope, rateLimit, expiresAt: expiresAt === null ? null : parseTimestamp(expiresAt) },
    actorOf(principal, client),
  );
  return reply(201, { key: toKeyReply(key), secret });
};
