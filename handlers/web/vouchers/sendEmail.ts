import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { languageOf, toEmailReply } from '../replies.js';

export const sendEmail: WebHandler<'sendEmail'> = async (
  { input: { path, body }, principal, reply, client },
  { emails },
) => {
  const email = { ...body, language: languageOf(body, principal) };
  const stored = await emails.send(path.emailId, email, principal.user, actorOf(principal, client));
  return reply(200, toEmailReply(stored));
};
