import type { WebHandler } from '../handler.js';
import { toEmailReply } from '../replies.js';

export const getVoucher: WebHandler<'getVoucher'> = async ({ input, key, reply }, { vouchers, emails }) => {
  const voucher = await vouchers.get(input.path.voucherId, key.user);
  return reply(200, { ...voucher, emails: (await emails.ofVoucher(voucher.id)).map(toEmailReply) });
};
