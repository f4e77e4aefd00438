import { ActionIcon, Button, Text, useMantineColorScheme } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Icon } from '../components/Icon.tsx';
import { useCurrentUser } from '../session/session.ts';
import { HeaderMenu } from './HeaderMenu.tsx';
import { colorSchemes } from './preferences.ts';

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
