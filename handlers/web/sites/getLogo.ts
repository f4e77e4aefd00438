import { Problem } from '../../../src/errors/problem.js';
import type { WebHandler } from '../handler.js';

export const getLogo: WebHandler<'getLogo'> = async ({ input, principal, reply }, { sites }) => {
  const logo = await sites.logo(input.path.siteId, principal.user);
  if (!logo) throw new Problem('not_found');
  return reply(200, logo.image, {
    'Content-Type': logo.mediaType,
    // Whatever the file holds besides its picture is not run.
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
};
