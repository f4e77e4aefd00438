import type { WebHandler } from '../handler.js';

export const withdrawGuestRequest: WebHandler<'withdrawGuestRequest'> = async (
  { input, reply },
  { guestPages },
) => {
  await guestPages.withdraw(input.path.slug, input.path.orderId);
  return reply(204);
};
