import type { WebHandler } from '../handler.js';
import { toTime } from '../replies.js';

export const createGuestChallenge: WebHandler<'createGuestChallenge'> = async (
  { input, reply },
  { guestPages },
) => {
  const { expiresAt, ...challenge } = await guestPages.createChallenge(input.path.slug);
  return reply(201, { ...challenge, expiresAt: toTime(expiresAt) });
};
