import type { WebHandler } from '../handler.js';
import { toCurrentUserReply } from '../replies.js';

export const getSession: WebHandler<'getSession'> = async ({ principal, reply }, { service }) =>
  reply(200, toCurrentUserReply(principal, service.version));
