import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toKioskPath, toKioskReply } from '../replies.js';

export const createKiosk: WebHandler<'createKiosk'> = async (
  { input, principal, reply, client },
  { kiosks },
) => {
  const { kiosk, token } = await kiosks.add(input.body, actorOf(principal, client));
  return reply(201, { kiosk: toKioskReply(kiosk), path: toKioskPath(token, kiosk.slug) });
};
