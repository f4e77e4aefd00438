import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deleteKiosk: WebHandler<'deleteKiosk'> = async (
  { input, principal, reply, client },
  { kiosks },
) => {
  await kiosks.remove(input.path.kioskId, actorOf(principal, client));
  return reply(204);
};
