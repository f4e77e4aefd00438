import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toMailServerReply } from '../mailReplies.js';

export const setMailServer: WebHandler<'setMailServer'> = async (
  { input: { body }, principal, reply, client },
  { mailServer },
) => {
  const { user = null, ...settings } = body;
  await mailServer.save({ ...settings, user }, actorOf(principal, client));
  return reply(200, toMailServerReply(await mailServer.view()));
};
