import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const updateBranding: WebHandler<'updateBranding'> = async (
  { input, principal, reply, client },
  { branding },
) => reply(200, await branding.set(input.body, actorOf(principal, client)));
