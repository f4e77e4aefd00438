import type { WebHandler } from '../handler.js';
import { toSmsProviderReply } from '../smsReplies.js';

export const getSmsProvider: WebHandler<'getSmsProvider'> = async ({ reply }, { smsProvider }) =>
  reply(200, toSmsProviderReply(await smsProvider.view()));
