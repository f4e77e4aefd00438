import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toKioskPath, toKioskReply } from '../replies.js';

export const renewKioskLink: WebHandler<'renewKioskLink'> = async (
  { input, principal, reply, client },
  { kiosks },
) => {
  const { kiosk, token } = await kiosks.renewLink(input.path.kioskId, actorOf(principal, client));
  return reply(200, { kiosk: toKioskReply(kiosk), path: toKioskPath(token) });
};
