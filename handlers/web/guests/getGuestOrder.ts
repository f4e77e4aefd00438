import type { WebHandler } from '../handler.js';
import { toGuestResultReply } from '../replies.js';

export const getGuestOrder: WebHandler<'getGuestOrder'> = async ({ input, reply }, { guestPages }) =>
  reply(200, toGuestResultReply(await guestPages.find(input.path.slug, input.path.orderId)));
