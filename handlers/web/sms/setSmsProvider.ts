import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toSmsProviderInput, toSmsProviderReply } from '../smsReplies.js';

export const setSmsProvider: WebHandler<'setSmsProvider'> = async (
  { input: { body }, principal, reply, client },
  { smsProvider },
) => {
  await smsProvider.save(toSmsProviderInput(body), actorOf(principal, client));
  return reply(200, toSmsProviderReply(await smsProvider.view()));
};
