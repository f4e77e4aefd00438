import { NavLink, Stack, Text } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { PagePath } from '../../../src/pages/pagePaths.ts';
import type { Schemas } from '../api/schemas.ts';
import { GuestsWaiting } from './GuestsWaiting.tsx';
import { Icon, type IconName } from '../components/Icon.tsx';
import { useCurrentUser } from '../session/session.ts';
import type { Messages } from '../texts/messages.ts';

interface Entry {
  readonly path: PagePath;
  readonly name: Exclude<keyof Messages['nav'], `group-${string}`> & IconName;
}

const everyone: readonly Entry[] = [
  { path: '/desk', name: 'desk' },
  { path: '/vouchers', name: 'vouchers' },
  { path: '/overview', name: 'overview' },
  { path: '/reports', name: 'reports' },
];

const administration = [
  {
    group: 'network',
    entries: [
      { path: '/controllers', name: 'controllers' },
      { path: '/sites', name: 'sites' },
      { path: '/profiles', name: 'profiles' },
    ],
  },
  {
    group: 'desk',
    entries: [
      { path: '/printers', name: 'printers' },
      { path: '/kiosks', name: 'kiosks' },
    ],
  },
  {
    group: 'access',
    entries: [
      { path: '/keys', name: 'keys' },
      { path: '/webhooks', name: 'webhooks' },
      { path: '/users', name: 'users' },
      { path: '/limits', name: 'limits' },
    ],
  },
  {
    group: 'operation',
    entries: [
      { path: '/mail', name: 'mail' },
      { path: '/sms', name: 'sms' },
      { path: '/branding', name: 'branding' },
      { path: '/audit', name: 'audit' },
      { path: '/system', name: 'system' },
    ],
  },
] as const satisfies readonly { group: string; entries: readonly Entry[] }[];

/** Whether a page is not for somebody with this role: it looks as if it did not exist. */
export const isHiddenFrom = (role: Schemas['Role'], path: string): boolean =>
  (role === 'viewer' && path === '/desk') ||
  (role !== 'admin' && administration.some(({ entries }) => entries.some((entry) => entry.path === path)));

/** The list of pages that the user may see. */
export const Navigation = ({ onNavigate }: { readonly onNavigate: () => void }) => {
  const t = useTranslations();
  const { role } = useCurrentUser();
  const current = useRouterState({ select: ({ location }) => location.pathname });
  const link = ({ path, name }: Entry) => (
    <NavLink
      key={path}
      component={Link}
      to={path}
      active={current === path}
      aria-current={current === path ? 'page' : undefined}
      label={t(`nav.${name}`)}
      leftSection={<Icon name={name} />}
      rightSection={path === '/desk' && <GuestsWaiting />}
      onClick={onNavigate}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  );
  return (
    <Stack gap={2}>
      {everyone.filter(({ path }) => !isHiddenFrom(role, path)).map(link)}
      {role === 'admin' &&
        administration.map(({ group, entries }) => (
          <Stack key={group} gap={2} mt="sm">
            <Text size="xs" fw={600} c="dimmed" px="sm" py={4}>
              {t(`nav.group-${group}`)}
            </Text>
            {entries.map(link)}
          </Stack>
        ))}
    </Stack>
  );
};
