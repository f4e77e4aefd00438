import { Button, Menu, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Icon } from '../components/Icon.tsx';
import { useCurrentUser, useSignOut } from '../session.ts';

/** Who is signed in, their account, and the way out. */
export const UserMenu = () => {
  const t = useTranslations();
  const { name, role, version } = useCurrentUser();
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
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
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name} · {t(`common.role-${role}`)}
        </Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<Icon name="shield" size={16} />}>
          {t('nav.account')}
        </Menu.Item>
        <Menu.Item
          component="a"
          href="/docs"
          target="_blank"
          leftSection={<Icon name="external" size={16} />}
        >
          {t('nav.docs')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="signOut" size={16} />} onClick={() => signOut.mutate({})}>
          {t('nav.signOut')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>voucherd {version}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
};
