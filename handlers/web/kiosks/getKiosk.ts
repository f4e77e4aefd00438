import { makeKioskDeviceCookie, readKioskDeviceCookie } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const getKiosk: WebHandler<'getKiosk'> = async (
  { input, reply, client },
  { kiosks, kioskDevices, service },
) => {
  const token = input.header['X-Kiosk-Token'];
  const { profiles, ...view } = await kiosks.view(token);
  const body = { ...view, profiles: [...profiles], version: service.version };
  const device = kioskDevices.read(readKioskDeviceCookie(input.cookie, client));
  // A cookie only where it is needed.
  if (device !== undefined || !(await kiosks.countsDevices(token))) return reply(200, body);
  return reply(200, body, { 'Set-Cookie': [makeKioskDeviceCookie(await kioskDevices.create(), client)] });
};
