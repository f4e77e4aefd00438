import { useEffect, useState } from 'react';

/** What has the focus; for an item of a menu, which closes, the button of the menu. */
const openerNow = (): HTMLElement | null => {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement)) return null;
  const menuButton = active.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return (menuButton && document.getElementById(menuButton)) || active;
};

/** Gives the focus back to what had it before, unless something else has taken it by then. */
export const useReturnFocus = (): void => {
  const [opener] = useState(openerNow);
  useEffect(
    () => () => {
      if (document.activeElement === document.body) opener?.focus({ preventScroll: true });
    },
    [opener],
  );
};
