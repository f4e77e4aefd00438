import type { WebHandler } from '../handler.js';

export const getKiosk: WebHandler<'getKiosk'> = async ({ input, reply }, { kiosks }) =>
  reply(200, { ...(await kiosks.view(input.header['X-Kiosk-Token'])) });
