import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deleteKioskBackground: WebHandler<'deleteKioskBackground'> = async (
  { input, principal, reply, client },
  { kiosks },
) => {
  await kiosks.setBackground(input.path.kioskId, null, actorOf(principal, client));
  return reply(204);
};
