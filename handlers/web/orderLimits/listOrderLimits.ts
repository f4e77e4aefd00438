import type { WebHandler } from '../handler.js';
import { toOrderLimitReply } from '../replies.js';

export const listOrderLimits: WebHandler<'listOrderLimits'> = async ({ reply }, { orderLimits }) =>
  reply(200, { limits: (await orderLimits.list()).flatMap(toOrderLimitReply) });
