import type { WebHandler } from '../handler.js';
import { toUserReply } from '../replies.js';

export const listUsers: WebHandler<'listUsers'> = async ({ reply }, { people }) =>
  reply(200, { users: (await people.users.list()).map(toUserReply) });
