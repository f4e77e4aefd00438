import type { WebHandler } from '../handler.js';

export const smsGuestVoucher: WebHandler<'smsGuestVoucher'> = async (
  { input: { path, body }, reply, client },
  { kiosks },
) => {
  await kiosks.sms(path.smsId, body.to, {
    key: { slug: path.slug },
    orderId: path.orderId,
    language: body.language,
    address: client.address,
  });
  return reply(204);
};
