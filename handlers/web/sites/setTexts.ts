import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const setTexts: WebHandler<'setTexts'> = async (
  { input, principal, reply, client },
  { siteTexts },
) => {
  await siteTexts.set(input.path.siteId, input.body.texts, actorOf(principal, client));
  return reply(204);
};
