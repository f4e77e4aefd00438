import type { WebHandler } from '../handler.js';
import { toMailServerReply } from '../mailReplies.js';

export const getMailServer: WebHandler<'getMailServer'> = async ({ reply }, { mailServer }) =>
  reply(200, toMailServerReply(await mailServer.view()));
