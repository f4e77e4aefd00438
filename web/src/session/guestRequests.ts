import { api } from '../api/api.ts';
import { queryClient } from '../api/queryClient.ts';
import type { Schemas } from '../api/schemas.ts';
import { useCurrentUser } from './session.ts';

/** Requests are out of date by themselves: they end after a quarter of an hour. */
const checkMs = 60_000;

const queryKey = ['get', '/guest-requests', {}] as const;

/**
 * The guests who wait for staff to agree: none for those who may not. Live events tell of others, but a tab that nobody
 * sees gets none. Where guests may ask, it looks for itself, so that its title can tell.
 */
export const useGuestRequests = (): Schemas['GuestRequest'][] => {
  const { role } = useCurrentUser();
  const isAsked = queryClient.getQueryData<Schemas['GuestRequestList']>(queryKey)?.isAsked;
  const options = {
    enabled: role !== 'viewer',
    refetchInterval: checkMs,
    refetchIntervalInBackground: isAsked === true,
  };
  return api.useQuery('get', queryKey[1], {}, options).data?.requests ?? [];
};
