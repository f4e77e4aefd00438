import { readKioskDeviceCookie } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const takeVoucher: WebHandler<'takeVoucher'> = async (
  { input, reply, client },
  { kiosks, kioskDevices },
) => {
  const { state, code, formattedCode, network } = await kiosks.take({
    token: input.header['X-Kiosk-Token'],
    orderId: input.path.orderId,
    name: input.body.name,
    profileId: input.body.profileId,
    address: client.address,
    deviceId: kioskDevices.read(readKioskDeviceCookie(input.cookie, client)),
  });
  return reply(200, {
    state,
    code,
    formattedCode,
    wifiPassword: network?.password ?? null,
    wifiJoinText: network?.joinText ?? null,
  });
};
