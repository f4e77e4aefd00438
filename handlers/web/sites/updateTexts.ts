import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const updateTexts: WebHandler<'updateTexts'> = async (
  { input, principal, reply, client },
  { siteTexts },
) => {
  const { texts, before } = input.body;
  await siteTexts.change(input.path.siteId, { texts, before }, actorOf(principal, client));
  return reply(204);
};
