import { Burger, Container, Group, Indicator } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Logo } from '../components/Logo.tsx';
import { useGuestRequests } from '../session/guestRequests.ts';
import { useCurrentUser } from '../session/session.ts';
import { isHiddenFrom, Navigation } from './Navigation.tsx';
import { ColorSchemeButton, LanguageButton, UserButton } from './HeaderButtons.tsx';
import { DemoNote } from './DemoNote.tsx';
import { PageNotFound } from './fallbackPages.tsx';

/** The frame of all pages: navigation at the side, on a phone behind a button. */
export const Shell = () => {
  const t = useTranslations();
  const { role } = useCurrentUser();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [path, close]);
  usePageFocus();
  return (
    <div className="shell" data-nav-open={isOpen || undefined}>
      <a href="#content" className="skip-link">
        {t('common.skip')}
      </a>
      <header className="shell-header">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <MenuButton isOpen={isOpen} onToggle={toggle} />
          <Logo size={28} />
        </Group>
        <Group gap={4} wrap="nowrap" flex="none">
          <LanguageButton />
          <ColorSchemeButton />
          <UserButton />
        </Group>
      </header>
      <nav className="shell-nav" aria-label={t('nav.label')}>
        <Navigation onNavigate={close} />
      </nav>
      <main id="content" tabIndex={-1} className="shell-main">
        <Container size="xl" p={0}>
          <DemoNote />
          {isHiddenFrom(role, path) ? <PageNotFound /> : <Outlet />}
        </Container>
      </main>
    </div>
  );
};

/**
 * Gives the focus to the content where a new page has taken it: after the sign-in, or behind a link of a dialog. A page
 * that was just loaded is left as browsers do it, so that the first Tab leads to the link to its content.
 */
const usePageFocus = (): void => {
  // When the page is there, and not when it begins to load.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  useEffect(() => {
    const isUsed = 'userActivation' in navigator && navigator.userActivation.hasBeenActive;
    if (isUsed && document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true });
  }, [path]);
};

interface MenuButtonProps {
  readonly isOpen: boolean;
  onToggle(): void;
}

/** Opens the navigation on a phone, and tells what it would show: that guests wait. */
const MenuButton = ({ isOpen, onToggle }: MenuButtonProps) => {
  const t = useTranslations();
  const { length: count } = useGuestRequests();
  return (
    <Indicator hiddenFrom="sm" color="red" size={12} withBorder disabled={count === 0}>
      <Burger
        opened={isOpen}
        onClick={onToggle}
        size="sm"
        aria-label={[t('nav.menu'), ...(count > 0 ? [t('nav.guestsWaiting', { count })] : [])].join(', ')}
        aria-expanded={isOpen}
      />
    </Indicator>
  );
};
