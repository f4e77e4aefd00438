import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const setSignInRules: WebHandler<'setSignInRules'> = async (
  { input, principal, reply, client },
  { auth },
) => {
  await auth.signInRules.set(input.body, actorOf(principal, client));
  return reply(204);
};
