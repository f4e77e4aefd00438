import { ActionIcon, Button, Text, useMantineColorScheme } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Icon } from '../components/Icon.tsx';
import { useCurrentUser } from '../session/session.ts';
import { colorSchemes } from './preferences.ts';
import { useTimeout } from '@mantine/hooks';
import { cloneElement, useState, type ButtonHTMLAttributes, type ReactElement } from 'react';
import { loadOnline } from '../lib/lazyPart.ts';
import { preloadMs } from '../lib/preload.ts';

export const LanguageButton = () => {
  const t = useTranslations();
  return (
    <HeaderMenu
      menu="LanguageMenu"
      button={
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('common.language')}>
          <Icon name="language" />
        </ActionIcon>
      }
    />
  );
};

export const ColorSchemeButton = () => {
  const t = useTranslations();
  const { colorScheme } = useMantineColorScheme();
  const icon = colorSchemes.find(([scheme]) => scheme === colorScheme)?.[1] ?? 'screen';
  return (
    <HeaderMenu
      menu="ColorSchemeMenu"
      button={
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('common.colorScheme')}>
          <Icon name={icon} />
        </ActionIcon>
      }
    />
  );
};

export const UserButton = () => {
  const t = useTranslations();
  const { name } = useCurrentUser();
  return (
    <HeaderMenu
      menu="UserMenu"
      button={
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          leftSection={<Icon name="account" />}
          aria-label={t('nav.user', { name })}
        >
          <Text component="span" size="sm" visibleFrom="sm" truncate maw={180}>
            {name}
          </Text>
        </Button>
      }
    />
  );
};

const loadMenus = () => loadOnline(() => import('./headerMenus.tsx'));
type Menus = Awaited<ReturnType<typeof loadMenus>>;

interface HeaderMenuProps {
  readonly menu: keyof Menus;
  /** Opens the menu. */
  readonly button: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
}

/** A menu at the head of the page. What shows its entries is not part of the first load. */
const HeaderMenu = ({ menu, button }: HeaderMenuProps) => {
  const [menus, setMenus] = useState<Menus>();
  useTimeout(() => void loadMenus(), preloadMs, { autoInvoke: true });
  if (!menus)
    return cloneElement(button, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onPointerEnter: () => void loadMenus(),
      onClick: () => void loadMenus().then(setMenus),
    });
  const Menu = menus[menu];
  // It takes the place of the button that was pressed, and its focus.
  return <Menu button={cloneElement(button, { autoFocus: true })} />;
};
