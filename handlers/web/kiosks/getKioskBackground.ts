import type { WebHandler } from '../handler.js';

export const getKioskBackground: WebHandler<'getKioskBackground'> = async ({ input, reply }, { kiosks }) => {
  const { mediaType, image } = await kiosks.background({ token: input.header['X-Kiosk-Token'] });
  return reply(200, image, {
    'Content-Type': mediaType,
    // Whatever the file holds besides its picture is not run.
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
};
