import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const setKioskBackground: WebHandler<'setKioskBackground'> = async (
  { input, principal, reply, client },
  { kiosks },
) => {
  await kiosks.setBackground(input.path.kioskId, input.body.image, actorOf(principal, client));
  return reply(204);
};
