import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toKioskReply } from '../replies.js';

export const createKiosk: WebHandler<'createKiosk'> = async (
  { input, principal, reply, client },
  { kiosks },
) => {
  const { kiosk, token } = await kiosks.add(input.body, actorOf(principal, client));
  // Browsers send the fragment nowhere, so it is in no log of a proxy.
  return reply(201, { kiosk: toKioskReply(kiosk), path: `/kiosk#${token}` });
};
