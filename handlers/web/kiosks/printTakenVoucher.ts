import type { WebHandler } from '../handler.js';

export const printTakenVoucher: WebHandler<'printTakenVoucher'> = async (
  { input: { header, path, body }, reply, client },
  { kiosks },
) => {
  const outcome = await kiosks.print({
    key: { token: header['X-Kiosk-Token'] },
    orderId: path.orderId,
    language: body.language,
    address: client.address,
  });
  return reply(200, { outcome });
};
