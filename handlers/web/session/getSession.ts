import type { WebHandler } from '../handler.js';
import { toCurrentUserReply } from '../replies.js';

export const getSession: WebHandler<'getSession'> = async ({ key, reply }, { service }) =>
  reply(200, toCurrentUserReply(key, service.version));
