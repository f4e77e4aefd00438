import type { WebHandler } from '../handler.js';

export const smsTakenVoucher: WebHandler<'smsTakenVoucher'> = async (
  { input: { header, path, body }, reply, client },
  { kiosks },
) => {
  await kiosks.sms(path.smsId, body.to, {
    key: { token: header['X-Kiosk-Token'] },
    orderId: path.orderId,
    language: body.language,
    address: client.address,
  });
  return reply(204);
};
