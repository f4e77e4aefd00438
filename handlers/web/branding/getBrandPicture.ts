import { Problem } from '../../../src/errors/problem.js';
import type { WebHandler } from '../handler.js';

export const getBrandPicture: WebHandler<'getBrandPicture'> = async ({ input, reply }, { branding }) => {
  const picture = await branding.findPicture(input.path.version);
  if (!picture) throw new Problem('not_found');
  return reply(200, picture.image, {
    'Content-Type': picture.mediaType,
    'Cache-Control': 'public, max-age=31536000, immutable',
    // Whatever the file holds besides its picture is not run.
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
};
