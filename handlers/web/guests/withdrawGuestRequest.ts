import { readKioskDeviceCookie } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const withdrawGuestRequest: WebHandler<'withdrawGuestRequest'> = async (
  { input, reply, client },
  { guestPages, kioskDevices },
) => {
  const { slug, orderId } = input.path;
  await guestPages.withdraw(slug, orderId, {
    address: client.address,
    deviceId: kioskDevices.read(readKioskDeviceCookie(input.cookie, client)),
  });
  return reply(204);
};
