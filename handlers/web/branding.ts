import type { WebHandlers } from './handler.js';
import { actorOf } from '../../src/auth/account.js';
import { Problem } from '../../src/errors/problem.js';

export const brandingHandlers = {
  getBranding: async ({ reply }, { branding }) => reply(200, await branding.get()),

  updateBranding: async ({ input, principal, reply, client }, { branding }) =>
    reply(200, await branding.set(input.body, actorOf(principal, client))),

  getBrandPicture: async ({ input, reply }, { branding }) => {
    const picture = await branding.findPicture(input.path.version);
    if (!picture) throw new Problem('not_found');
    return reply(200, picture.image, {
      'Content-Type': picture.mediaType,
      'Cache-Control': 'public, max-age=31536000, immutable',
      // Whatever the file holds besides its picture is not run.
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
  },
} satisfies Partial<WebHandlers>;
