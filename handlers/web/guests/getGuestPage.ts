import { makeKioskDeviceCookie, readKioskDeviceCookie } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';
import { toKioskViewReply } from '../replies.js';

export const getGuestPage: WebHandler<'getGuestPage'> = async (
  { input, reply, client },
  { guestPages, kioskDevices, service },
) => {
  const view = toKioskViewReply(await guestPages.view(input.path.slug), service.version);
  if (kioskDevices.read(readKioskDeviceCookie(input.cookie, client)) !== undefined) return reply(200, view);
  return reply(200, view, { 'Set-Cookie': [makeKioskDeviceCookie(await kioskDevices.create(), client)] });
};
