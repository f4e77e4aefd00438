import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const updateTexts: WebHandler<'updateTexts'> = async (
  { input, principal, reply, client },
  { siteTexts },
) => {
  await siteTexts.change(input.path.siteId, input.body.texts, actorOf(principal, client));
  return reply(204);
};
