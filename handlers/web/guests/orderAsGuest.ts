import { readKioskDeviceCookie } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';
import { toGuestResultReply } from '../replies.js';

export const orderAsGuest: WebHandler<'orderAsGuest'> = async (
  { input, reply, client },
  { guestPages, kioskDevices },
) => {
  const { slug, orderId } = input.path;
  const { name, profileId, challenge, numbers } = input.body;
  const result = await guestPages.order({
    slug,
    orderId,
    name,
    profileId,
    challenge,
    numbers,
    address: client.address,
    deviceId: kioskDevices.read(readKioskDeviceCookie(input.cookie, client)),
  });
  return reply(200, toGuestResultReply(result));
};
