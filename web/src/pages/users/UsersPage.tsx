import { Button, Stack } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { Icon } from '../../components/Icon.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { SignInRules } from './SignInRules.tsx';
import { UserTable, type UserTask } from './UserTable.tsx';

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
  const [isCreating, setCreating] = useState(false);
  const [chosen, setChosen] = useState<{ task: UserTask; user: Schemas['User'] }>();
  const Dialog = chosen && dialogs[chosen.task];
  return (
    <>
      <PageHeader
        title={t('users.title')}
        description={t('users.description')}
        actions={
          <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setCreating(true)}>
            {t('users.create')}
          </Button>
        }
      />
      <Stack gap="lg">
        <QueryView query={users}>
          {(data) => <UserTable users={data.users} onTask={(task, user) => setChosen({ task, user })} />}
        </QueryView>
        <SignInRules />
      </Stack>
      <Suspense>
        {isCreating && <CreateUserDialog onClose={() => setCreating(false)} />}
        {Dialog && <Dialog user={chosen.user} onClose={() => setChosen(undefined)} />}
      </Suspense>
    </>
  );
};
