import { Badge, VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../api/api.ts';
import { useCurrentUser } from '../session/session.ts';

/** Requests are out of date by themselves: they end after a quarter of an hour. */
const checkMs = 60_000;

/** The guests who wait for staff to agree: none for those who may not. Live events tell of others. */
export const useGuestRequests = () => {
  const { role } = useCurrentUser();
  const options = { enabled: role !== 'viewer', refetchInterval: checkMs };
  return api.useQuery('get', '/guest-requests', {}, options).data?.requests ?? [];
};

/** How many guests wait, in every navigation; a number to see, and words to hear. */
export const GuestsWaiting = () => {
  const t = useTranslations();
  const { length: count } = useGuestRequests();
  if (count === 0) return null;
  return (
    <>
      <Badge circle size="md" color="red" variant="filled" className="guests-waiting" aria-hidden>
        {count > 99 ? '99+' : count}
      </Badge>
      <VisuallyHidden>{t('nav.guestsWaiting', { count })}</VisuallyHidden>
    </>
  );
};
