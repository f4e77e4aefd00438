import { Button, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { Icon } from '../../components/Icon.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { lazyDialog } from '../../lib/lazyPart.ts';
import { useDialog } from '../../lib/useDialog.ts';
import { useOpenedItem } from '../../lib/useOpenedItem.ts';
import { SingleSignOnCard } from './SingleSignOnCard.tsx';
import { SignInRules } from './SignInRules.tsx';
import { UserTable } from './UserTable.tsx';

/** Dialogs are loaded when they are opened. */
const CreateUserDialog = lazyDialog(async () => (await import('./CreateUserDialog.tsx')).CreateUserDialog);
const ChangeUser = lazyDialog(async () => (await import('./ChangeUserDialog.tsx')).ChangeUserDialog);
const ResetPassword = lazyDialog(async () => (await import('./ResetDialogs.tsx')).ResetPasswordDialog);
const ResetSecondFactor = lazyDialog(
  async () => (await import('./ResetDialogs.tsx')).ResetSecondFactorDialog,
);
const SingleSignOnDialog = lazyDialog(
  async () => (await import('./SingleSignOnDialog.tsx')).SingleSignOnDialog,
);
const Sessions = lazyDialog(async () => (await import('./SessionsDialog.tsx')).SessionsDialog);
const RemoveUser = lazyDialog(async () => (await import('./ResetDialogs.tsx')).RemoveUserDialog);

/** People who use the pages, and the rules of their sign-in. */
export const UsersPage = () => {
  const t = useTranslations();
  const users = api.useQuery('get', '/users');
  const shown = useDialog();
  const { dialog, open, close } = shown;
  const user = useOpenedItem(shown, users.data?.users);
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
        <SingleSignOnCard onChange={() => open('singleSignOn')} />
      </Stack>
      {dialog === 'singleSignOn' && <SingleSignOnDialog onClose={close} />}
      {dialog === 'create' && <CreateUserDialog onClose={close} />}
      {user && dialog === 'change' && <ChangeUser user={user} onClose={close} />}
      {user && dialog === 'resetPassword' && <ResetPassword user={user} onClose={close} />}
      {user && dialog === 'resetSecondFactor' && <ResetSecondFactor user={user} onClose={close} />}
      {user && dialog === 'sessions' && <Sessions user={user} onClose={close} />}
      {user && dialog === 'remove' && <RemoveUser user={user} onClose={close} />}
    </>
  );
};
