import type { Handler } from './handler.js';

export const createVoucher: Handler<'createVoucher'> = async (
  { input, principal, reply, signal, client },
  { vouchers },
) => {
  const voucher = await vouchers.order(input.body, {
    apiKeyId: principal.id,
    origin: 'api',
    actorName: principal.name,
    address: client.address,
    idempotencyKey: input.header['Idempotency-Key'],
    sent: input.sentBody,
    signal,
  });
  return reply(
    201,
    {
      success: true,
      code: voucher.code,
      formatted_code: voucher.formattedCode,
      site: voucher.site,
      max_uses: voucher.maxUses,
      expire_minutes: voucher.expireMinutes,
    },
    voucher.replayed ? { 'Idempotency-Replayed': 'true' } : {},
  );
};
