import type { WebHandler } from '../handler.js';
import { toEmailReply } from '../replies.js';

export const getVoucher: WebHandler<'getVoucher'> = async (
  { input, principal, reply },
  { vouchers, emails },
) => {
  const voucher = await vouchers.get(input.path.voucherId, principal.user);
  return reply(200, { ...voucher, emails: (await emails.ofVoucher(voucher.id)).map(toEmailReply) });
};
