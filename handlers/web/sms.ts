import type { SmsProviderInput, SmsProviderView } from '../../src/sms/smsProvider.js';
import { actorOf } from '../../src/auth/account.js';
import type { WebHandlers, WebSchema } from './handler.js';
import { languageOf } from './replies.js';

export const smsHandlers = {
  deleteSmsProvider: async ({ principal, reply, client }, { smsProvider }) => {
    await smsProvider.remove(actorOf(principal, client));
    return reply(204);
  },

  getSmsProvider: async ({ reply }, { smsProvider }) =>
    reply(200, toSmsProviderReply(await smsProvider.view())),

  setSmsProvider: async ({ input: { body }, principal, reply, client }, { smsProvider }) => {
    await smsProvider.save(toSmsProviderInput(body), actorOf(principal, client));
    return reply(200, toSmsProviderReply(await smsProvider.view()));
  },

  testSmsProvider: async ({ input: { body }, principal, reply }, { smsProvider, testSms }) => {
    const config = await smsProvider.resolve(toSmsProviderInput(body.provider));
    const { isSent, to, reason, answer } = await testSms(config, body.to, languageOf({}, principal));
    return reply(200, { isSent, to, reason: reason && { ...reason }, answer });
  },
} satisfies Partial<WebHandlers>;

const toSmsProviderReply = ({ allowedCodes, ...view }: SmsProviderView): WebSchema<'SmsProvider'> => ({
  ...view,
  allowedCodes: [...allowedCodes],
});

const toSmsProviderInput = (body: WebSchema<'SmsProviderSettings'>): SmsProviderInput => {
  const { user = null, from = null, sentText = null, countryCode = null, ...others } = body;
  return { ...others, user, from, sentText, countryCode };
};
