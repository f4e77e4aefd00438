import type { GuestMessage } from '../../src/guestMessages/guestMessageTable.js';
import { describeReason } from '../../src/i18n/storedReasons.js';
import { actorOf } from '../../src/auth/account.js';
import type { WebHandlers, WebSchema } from './handler.js';
import { csvFile, languageOf, toEmailReply, toSlipReply, toTime } from './replies.js';
import { Readable } from 'node:stream';

export const voucherHandlers = {
  revokeVouchers: async ({ input, principal, reply, client }, { vouchers }) => {
    const selected = await vouchers.select(input.body, principal.user);
    const { revoked, failed } = await vouchers.revoke(selected, actorOf(principal, client));
    return reply(200, { revoked: [...revoked], failed: [...failed] });
  },

  listVouchers: async ({ input, principal, reply, signal }, { vouchers }) => {
    const { cursor, ...query } = input.query;
    return reply(200, await vouchers.find(query, principal.user, { cursor, signal }));
  },

  getSlip: async ({ input, principal, reply }, { printing }) => {
    const language = languageOf(input.query, principal);
    return reply(200, toSlipReply(await printing.toSlip(input.path.voucherId, language, principal.user)));
  },

  getVoucher: async ({ input, principal, reply }, { vouchers, emails, sms }) => {
    const voucher = await vouchers.get(input.path.voucherId, principal.user);
    return reply(200, {
      ...voucher,
      emails: (await emails.ofVoucher(voucher.id)).map(toEmailReply),
      sms: (await sms.ofVoucher(voucher.id)).map(toSmsReply),
    });
  },

  exportVouchers: async ({ input: { query }, principal, reply, signal }, { vouchers }) => {
    const language = languageOf(query, principal);
    return reply(200, await vouchers.exportFound(query, principal.user, language, signal), csvFile);
  },

  exportSelectedVouchers: async ({ input, principal, reply }, { vouchers }) => {
    const language = languageOf(input.query, principal);
    const lines = await vouchers.exportSelected(input.body, principal.user, language);
    return reply(200, Readable.from(lines, { objectMode: false }), csvFile);
  },

  sendEmail: async ({ input: { path, body }, principal, reply, client }, { emails }) => {
    const email = { ...body, language: languageOf(body, principal) };
    const stored = await emails.send(path.emailId, email, principal.user, actorOf(principal, client));
    return reply(200, toEmailReply(stored));
  },

  sendSms: async ({ input: { path, body }, principal, reply, client }, { sms }) => {
    const order = { ...body, language: languageOf(body, principal) };
    return reply(
      200,
      toSmsReply(await sms.send(path.smsId, order, principal.user, actorOf(principal, client))),
    );
  },

  printVouchers: async ({ input: { body }, principal, reply }, { printing }) => {
    const file = await printing.toPdf({ ...body, language: languageOf(body, principal) }, principal.user);
    return reply(200, file, { 'Content-Disposition': 'attachment; filename="vouchers.pdf"' });
  },

  printReceipts: async ({ input: { path, body }, principal, reply }, { printers }) => {
    const outcome = await printers.print(
      path.printerId,
      { ...body, language: languageOf(body, principal) },
      principal.user,
    );
    return reply(200, { outcome });
  },
} satisfies Partial<WebHandlers>;

const toSmsReply = ({ id, to, state, at, reason }: GuestMessage<'sms'>): WebSchema<'SentSms'> => ({
  id,
  to,
  state,
  at: toTime(at),
  reason: reason && { ...describeReason('sms', reason) },
});
