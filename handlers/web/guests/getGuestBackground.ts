import type { WebHandler } from '../handler.js';

export const getGuestBackground: WebHandler<'getGuestBackground'> = async (
  { input, reply },
  { guestPages },
) => {
  const { mediaType, image } = await guestPages.background(input.path.slug);
  return reply(200, image, {
    'Content-Type': mediaType,
    // Whatever the file holds besides its picture is not run.
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
};
