import type { WebHandler } from '../handler.js';
import { toEmailReply } from '../replies.js';
import { toSmsReply } from '../smsReplies.js';

export const getVoucher: WebHandler<'getVoucher'> = async (
  { input, principal, reply },
  { vouchers, emails, sms },
) => {
  const voucher = await vouchers.get(input.path.voucherId, principal.user);
  return reply(200, {
    ...voucher,
    emails: (await emails.ofVoucher(voucher.id)).map(toEmailReply),
    sms: (await sms.ofVoucher(voucher.id)).map(toSmsReply),
  });
};
