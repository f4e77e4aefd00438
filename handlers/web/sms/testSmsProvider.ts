import type { WebHandler } from '../handler.js';
import { languageOf } from '../replies.js';
import { toSmsProviderInput } from '../smsReplies.js';

export const testSmsProvider: WebHandler<'testSmsProvider'> = async (
  { input: { body }, principal, reply },
  { smsProvider, testSms },
) => {
  const config = await smsProvider.resolve(toSmsProviderInput(body.provider));
  const { isSent, to, reason, answer } = await testSms(config, body.to, languageOf({}, principal));
  return reply(200, { isSent, to, reason: reason && { ...reason }, answer });
};
