import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { languageOf } from '../replies.js';
import { toSmsReply } from '../smsReplies.js';

export const sendSms: WebHandler<'sendSms'> = async (
  { input: { path, body }, principal, reply, client },
  { sms },
) => {
  const order = { ...body, language: languageOf(body, principal) };
  return reply(
    200,
    toSmsReply(await sms.send(path.smsId, order, principal.user, actorOf(principal, client))),
  );
};
