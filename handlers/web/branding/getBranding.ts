import type { WebHandler } from '../handler.js';

export const getBranding: WebHandler<'getBranding'> = async ({ reply }, { branding }) =>
  reply(200, await branding.get());
