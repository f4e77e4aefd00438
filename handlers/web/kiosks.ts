import type { WebHandlers } from './handler.js';
import { toKioskReply, toKioskPath, toKioskViewReply } from './replies.js';
import { actorOf } from '../../src/auth/account.js';
import { makeKioskDeviceCookie, readKioskDeviceCookie } from '../../src/auth/cookies.js';
import type { TakenRequest } from '../../src/kiosks/kioskHandOut.js';

/** A voucher that a guest has just taken, to be sent or printed. */
export const toTakenRequest = (
  key: TakenRequest['key'],
  {
    path,
    body,
  }: { readonly path: { orderId: string }; readonly body: { language: TakenRequest['language'] } },
  { address }: Pick<TakenRequest, 'address'>,
): TakenRequest => ({ key, orderId: path.orderId, language: body.language, address });

export const kioskHandlers = {
  listKiosks: async ({ reply }, { kiosks }) =>
    reply(200, { kiosks: (await kiosks.list()).map(toKioskReply) }),

  createKiosk: async ({ input, principal, reply, client }, { kiosks }) => {
    const { kiosk, token } = await kiosks.add(input.body, actorOf(principal, client));
    return reply(201, { kiosk: toKioskReply(kiosk), path: toKioskPath(token, kiosk.slug) });
  },

  updateKiosk: async ({ input, principal, reply, client }, { kiosks }) => {
    const kiosk = await kiosks.change(input.path.kioskId, input.body, actorOf(principal, client));
    return reply(200, toKioskReply(kiosk));
  },

  deleteKiosk: async ({ input, principal, reply, client }, { kiosks }) => {
    await kiosks.remove(input.path.kioskId, actorOf(principal, client));
    return reply(204);
  },

  renewKioskLink: async ({ input, principal, reply, client }, { kiosks }) => {
    const { kiosk, token } = await kiosks.renewLink(input.path.kioskId, actorOf(principal, client));
    return reply(200, { kiosk: toKioskReply(kiosk), path: toKioskPath(token) });
  },

  setKioskBackground: async ({ input, principal, reply, client }, { kiosks }) => {
    await kiosks.setBackground(input.path.kioskId, input.body.image, actorOf(principal, client));
    return reply(204);
  },

  deleteKioskBackground: async ({ input, principal, reply, client }, { kiosks }) => {
    await kiosks.setBackground(input.path.kioskId, null, actorOf(principal, client));
    return reply(204);
  },

  getKiosk: async ({ input, reply, client }, { kiosks, kioskDevices, service }) => {
    const key = { token: input.header['X-Kiosk-Token'] };
    const view = toKioskViewReply(await kiosks.view(key), service.version);
    const device = kioskDevices.read(readKioskDeviceCookie(input.cookie, client));
    // A cookie only where it is needed.
    if (device !== undefined || !(await kiosks.countsDevices(key))) return reply(200, view);
    return reply(200, view, { 'Set-Cookie': [makeKioskDeviceCookie(await kioskDevices.create(), client)] });
  },

  getKioskBackground: async ({ input, reply }, { kiosks }) => {
    const { mediaType, image } = await kiosks.background({ token: input.header['X-Kiosk-Token'] });
    return reply(200, image, {
      'Content-Type': mediaType,
      // Whatever the file holds besides its picture is not run.
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
  },

  takeVoucher: async ({ input, reply, client }, { kiosks, kioskDevices }) => {
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
  },

  emailTakenVoucher: async ({ input: { header, path, body }, reply, client }, { kiosks }) => {
    const key = { token: header['X-Kiosk-Token'] };
    await kiosks.email(path.emailId, body.to, toTakenRequest(key, { path, body }, client));
    return reply(204);
  },

  smsTakenVoucher: async ({ input: { header, path, body }, reply, client }, { kiosks }) => {
    const key = { token: header['X-Kiosk-Token'] };
    await kiosks.sms(path.smsId, body.to, toTakenRequest(key, { path, body }, client));
    return reply(204);
  },

  printTakenVoucher: async ({ input: { header, path, body }, reply, client }, { kiosks }) => {
    const key = { token: header['X-Kiosk-Token'] };
    const outcome = await kiosks.print(toTakenRequest(key, { path, body }, client));
    return reply(200, { outcome });
  },
} satisfies Partial<WebHandlers>;
