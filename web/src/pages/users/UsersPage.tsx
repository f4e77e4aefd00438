import { Button, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { Icon } from '../../components/Icon.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { useDialog } from '../../lib/useDialog.ts';
import { SignInRules } from './SignInRules.tsx';
import { UserTable, userTasks } from './UserTable.tsx';

/** Dialogs are loaded when they are opened. */
const dialogs = {
  change: lazy(async () => ({ default: (await import('./ChangeUserDialog.tsx')).ChangeUserDialog })),
  resetPassword: lazy(async () => ({ default: (await import('./ResetDialogs.tsx')).ResetPasswordDialog })),
  resetSecondFactor: lazy(async () => ({
    default: (await import('./ResetDialogs.tsx')).ResetSecondFactorDialog,
  })),
  sessions: lazy(async () => ({ default: (await import('./SessionsDialog.tsx')).SessionsDialog })),
  remove: lazy(async () => ({ default: (await import('./ResetDialogs.tsx')).RemoveUserDialog })),
};
const CreateUserDialog = lazy(async () => ({
  default: (await import('./CreateUserDialog.tsx')).CreateUserDialog,
}));

/** People who use the pages, and the rules of their sign-in. */
export const UsersPage = () => {
  const t = useTranslations();
  const users = api.useQuery('get', '/users');
  const { dialog, id: userId, open, close } = useDialog();
  const task = userTasks.find((name) => name === dialog);
  const Dialog = task && dialogs[task];
  const user = users.data?.users.find(({ id }) => id === userId);
  return (
    <>
      <PageHeader
        title={t('users.title')}
        description={t('users.description')}
        actions={
          <Button leftSection={<Icon name="plus" size={18} />} onClick={() => open('create')}>
            {t('users.create')}
          </Button>
        }
      />
      <Stack gap="lg">
        <QueryView query={users}>
          {(data) => <UserTable users={data.users} onTask={(name, { id }) => open(name, id)} />}
        </QueryView>
        <SignInRules />
      </Stack>
      <Suspense>
        {dialog === 'create' && <CreateUserDialog onClose={close} />}
        {Dialog && user && <Dialog user={user} onClose={close} />}
      </Suspense>
    </>
  );
};
