import { makeKioskDeviceCookie, readKioskDeviceCookie } from '../../src/auth/cookies.js';
import type { WebHandlers } from './handler.js';
import { toTakenRequest } from './kiosks.js';
import { toKioskViewReply, toTime, toGuestResultReply } from './replies.js';
import { actorOf } from '../../src/auth/account.js';

export const guestHandlers = {
  getGuestPage: async ({ input, reply, client }, { guestPages, kioskDevices, service }) => {
    const view = toKioskViewReply(await guestPages.view(input.path.slug), service.version);
    if (kioskDevices.read(readKioskDeviceCookie(input.cookie, client)) !== undefined) return reply(200, view);
    return reply(200, view, { 'Set-Cookie': [makeKioskDeviceCookie(await kioskDevices.create(), client)] });
  },

  getGuestBackground: async ({ input, reply }, { guestPages }) => {
    const { mediaType, image } = await guestPages.background(input.path.slug);
    return reply(200, image, {
      'Content-Type': mediaType,
      // Whatever the file holds besides its picture is not run.
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
  },

  createGuestChallenge: async ({ input, reply }, { guestPages }) => {
    const { expiresAt, ...challenge } = await guestPages.createChallenge(input.path.slug);
    return reply(201, { ...challenge, expiresAt: toTime(expiresAt) });
  },

  orderAsGuest: async ({ input, reply, client }, { guestPages, kioskDevices }) => {
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
  },

  getGuestOrder: async ({ input, reply }, { guestPages }) =>
    reply(200, toGuestResultReply(await guestPages.find(input.path.slug, input.path.orderId))),

  withdrawGuestRequest: async ({ input, reply, client }, { guestPages, kioskDevices }) => {
    const { slug, orderId } = input.path;
    await guestPages.withdraw(slug, orderId, {
      address: client.address,
      deviceId: kioskDevices.read(readKioskDeviceCookie(input.cookie, client)),
    });
    return reply(204);
  },

  emailGuestVoucher: async ({ input: { path, body }, reply, client }, { kiosks }) => {
    await kiosks.email(path.emailId, body.to, toTakenRequest({ slug: path.slug }, { path, body }, client));
    return reply(204);
  },

  smsGuestVoucher: async ({ input: { path, body }, reply, client }, { kiosks }) => {
    await kiosks.sms(path.smsId, body.to, toTakenRequest({ slug: path.slug }, { path, body }, client));
    return reply(204);
  },

  listGuestRequests: async ({ principal, reply }, { guestRequests }) => {
    const { requests, isAsked } = await guestRequests.list(principal.user);
    return reply(200, {
      isAsked,
      requests: requests.map(({ createdAt, expiresAt, ...request }) => ({
        ...request,
        createdAt: toTime(createdAt),
        expiresAt: toTime(expiresAt),
      })),
    });
  },

  decideGuestRequest: async ({ input, principal, reply, client }, { guestRequests }) => {
    const { orderId } = input.path;
    const actor = actorOf(principal, client);
    if (input.body.isApproved) await guestRequests.approve(orderId, principal.user, actor);
    else await guestRequests.refuse(orderId, principal.user, actor);
    return reply(204);
  },
} satisfies Partial<WebHandlers>;
