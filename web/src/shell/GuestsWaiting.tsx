import { Badge, VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useGuestRequests } from '../session/guestRequests.ts';

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
