import type { WebHandler } from '../handler.js';

export const emailTakenVoucher: WebHandler<'emailTakenVoucher'> = async (
  { input: { header, path, body }, reply, client },
  { kiosks },
) => {
  await kiosks.email(path.emailId, body.to, {
    key: { token: header['X-Kiosk-Token'] },
    orderId: path.orderId,
    language: body.language,
    address: client.address,
  });
  return reply(204);
};
