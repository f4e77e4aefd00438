import { makeKioskDeviceCookie, readKioskDeviceCookie } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';
import { toKioskViewReply } from '../replies.js';

export const getKiosk: WebHandler<'getKiosk'> = async (
  { input, reply, client },
  { kiosks, kioskDevices, service },
) => {
  const key = { token: input.header['X-Kiosk-Token'] };
  const view = toKioskViewReply(await kiosks.view(key), service.version);
  const device = kioskDevices.read(readKioskDeviceCookie(input.cookie, client));
  // A cookie only where it is needed.
  if (device !== undefined || !(await kiosks.countsDevices(key))) return reply(200, view);
  return reply(200, view, { 'Set-Cookie': [makeKioskDeviceCookie(await kioskDevices.create(), client)] });
};
