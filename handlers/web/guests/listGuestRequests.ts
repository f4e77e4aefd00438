import type { WebHandler } from '../handler.js';
import { toTime } from '../replies.js';

export const listGuestRequests: WebHandler<'listGuestRequests'> = async (
  { principal, reply },
  { guestRequests },
) => {
  const { requests, isAsked } = await guestRequests.list(principal.user);
  return reply(200, {
    isAsked,
    requests: requests.map(({ createdAt, expiresAt, ...request }) => ({
      ...request,
      createdAt: toTime(createdAt),
      expiresAt: toTime(expiresAt),
    })),
  });
};
