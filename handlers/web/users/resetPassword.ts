import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const resetPassword: WebHandler<'resetPassword'> = async (
  { input, principal, reply, client },
  { auth },
) => reply(200, { password: await auth.users.resetPassword(input.path.userId, actorOf(principal, client)) });
