import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toKioskReply } from '../replies.js';

export const updateKiosk: WebHandler<'updateKiosk'> = async (
  { input, principal, reply, client },
  { kiosks },
) => {
  const kiosk = await kiosks.change(input.path.kioskId, input.body, actorOf(principal, client));
  return reply(200, toKioskReply(kiosk));
};
