import { Badge, Group, Menu, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { RowMenu } from '../../components/RowMenu.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { invalidate } from '../../api/queryClient.ts';
import { useCurrentUser } from '../../session/session.ts';

type User = Schemas['User'];

/** What every dialog about a user is given. */
export interface UserDialogProps {
  readonly user: User;
  onClose(): void;
}

/** What opens a dialog. */
type UserTask = 'change' | 'resetPassword' | 'resetSecondFactor' | 'sessions' | 'remove';

interface UserTableProps {
  readonly users: readonly User[];
  onTask(task: UserTask, user: User): void;
}

/** All users, each with a menu of what can be done. */
export const UserTable = ({ users, onTask }: UserTableProps) => {
  const t = useTranslations();
  const me = useCurrentUser();
  const sites = api.useQuery('get', '/sites').data?.sites;
  const columns: Column<User>[] = [
    {
      id: 'name',
      label: t('common.name'),
      render: ({ id, name, email }) => (
        <Stack gap={0}>
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {name}
            </Text>
            {id === me.id && <Badge>{t('users.you')}</Badge>}
          </Group>
          {email !== null && (
            <Text size="xs" c="dimmed">
              {email}
            </Text>
          )}
        </Stack>
      ),
    },
    { id: 'role', label: t('users.role'), render: ({ role }) => t(`common.role-${role}`) },
    {
      id: 'sites',
      label: t('users.sites'),
      render: ({ role, siteIds, disabledAt }) => {
        if (role === 'admin') return t('users.allSites');
        // Without one they can do nothing, and nothing else tells so.
        if (siteIds.length === 0 && disabledAt === null)
          return <StateBadge tone="warning">{t('users.noSite')}</StateBadge>;
        // The name says more than a number, and one name has room.
        const only = siteIds.length === 1 ? sites?.find(({ id }) => id === siteIds[0]) : undefined;
        return only?.name ?? t('users.siteCount', { count: siteIds.length });
      },
    },
    {
      id: 'factor',
      label: t('users.secondFactor'),
      render: ({ hasSecondFactor, hasPassword }) => {
        if (!hasPassword) return t('users.singleSignOn');
        return hasSecondFactor ? t('common.yes') : t('common.no');
      },
    },
    {
      id: 'signIn',
      label: t('users.lastSignIn'),
      render: ({ lastSignInAt }) => <Time at={lastSignInAt} none={t('users.never')} />,
    },
    { id: 'state', label: t('users.state'), render: (user) => <UserState user={user} /> },
    {
      id: 'actions',
      label: t('users.actions'),
      isAction: true,
      render: (user) => <UserActions user={user} isSelf={user.id === me.id} onTask={onTask} />,
    },
  ];
  return <DataTable caption={t('users.title')} columns={columns} rows={users} idOf={({ id }) => id} />;
};

const UserState = ({ user }: { readonly user: User }) => {
  const t = useTranslations();
  if (user.disabledAt !== null) return <StateBadge tone="neutral">{t('users.disabled')}</StateBadge>;
  if (user.passwordIsTemporary) return <StateBadge tone="warning">{t('users.temporary')}</StateBadge>;
  return <StateBadge tone="good">{t('users.active')}</StateBadge>;
};

interface UserActionsProps {
  readonly user: User;
  readonly isSelf: boolean;
  onTask(task: UserTask, user: User): void;
}

const UserActions = ({ user, isSelf, onTask }: UserActionsProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const change = api.useMutation('patch', '/users/{userId}', {
    onError: notify.failed,
    onSettled: () => invalidate('/users'),
  });
  const invite = api.useMutation('post', '/users/{userId}/invitation', {
    onSuccess: () => notify.done(t('users.resent', { name: user.name })),
    onError: notify.failed,
  });
  const isDisabled = user.disabledAt !== null;
  const setDisabled = (disabled: boolean, onSuccess?: () => void): void =>
    change.mutate(
      { params: { path: { userId: user.id } }, body: { isDisabled: disabled } },
      { onSuccess: () => onSuccess?.() },
    );
  const disable = (): void =>
    setDisabled(true, () =>
      notify.undoable(t('users.nowDisabled', { name: user.name }), () => setDisabled(false)),
    );
  const item = (task: UserTask, label: string) => (
    <Menu.Item onClick={() => onTask(task, user)}>{label}</Menu.Item>
  );
  return (
    <RowMenu label={t('users.actionsFor', { name: user.name })}>
      {item('change', t('common.change'))}
      {item('sessions', t('users.sessions'))}
      {user.passwordIsTemporary && user.email !== null && !isDisabled && (
        <Menu.Item onClick={() => invite.mutate({ params: { path: { userId: user.id } } })}>
          {t('users.resend')}
        </Menu.Item>
      )}
      {user.hasPassword && item('resetPassword', t('users.resetPassword'))}
      {user.hasSecondFactor && item('resetSecondFactor', t('users.resetSecondFactor'))}
      {!isSelf && (
        <>
          <Menu.Divider />
          <Menu.Item onClick={() => (isDisabled ? setDisabled(false) : disable())}>
            {isDisabled ? t('users.enable') : t('users.disable')}
          </Menu.Item>
          <Menu.Item color="var(--mantine-color-error)" onClick={() => onTask('remove', user)}>
            {t('users.remove')}
          </Menu.Item>
        </>
      )}
    </RowMenu>
  );
};
