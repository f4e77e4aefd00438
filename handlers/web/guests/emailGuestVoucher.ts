import type { WebHandler } from '../handler.js';

export const emailGuestVoucher: WebHandler<'emailGuestVoucher'> = async (
  { input: { path, body }, reply, client },
  { kiosks },
) => {
  await kiosks.email(path.emailId, body.to, {
    key: { slug: path.slug },
    orderId: path.orderId,
    language: body.language,
    address: client.address,
  });
  return reply(204);
};
