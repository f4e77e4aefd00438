import { useTranslations } from 'use-intl';
import { useRemove } from '../../components/useSave.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { api, client } from '../../api/api.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { invalidate } from '../../api/queryClient.ts';
import { TemporaryPassword } from './TemporaryPassword.tsx';
import type { UserDialogProps } from './UserTable.tsx';

/** Gives a user a new password, which is shown once. */
export const ResetPasswordDialog = ({ user, onClose }: UserDialogProps) => {
  const t = useTranslations();
  const reset = api.useMutation('post', '/users/{userId}/password', {
    onSuccess: () => invalidate('/users'),
  });
  if (reset.data)
    return (
      <Dialog title={t('users.newPassword', { name: user.name })} guard="key" onClose={onClose}>
        <TemporaryPassword password={reset.data.password} onClose={onClose} />
      </Dialog>
    );
  return (
    <ConfirmDialog
      title={t('users.resetPassword')}
      text={t('users.resetPasswordText', { name: user.name })}
      action={t('users.resetPassword')}
      isPending={reset.isPending}
      error={reset.error}
      onConfirm={() => reset.mutate({ params: { path: { userId: user.id } } })}
      onClose={onClose}
    />
  );
};

/** Removes the second factor of somebody who has lost it. */
export const ResetSecondFactorDialog = ({ user, onClose }: UserDialogProps) => {
  const t = useTranslations();
  const reset = useRemove({
    remove: () => client.DELETE('/users/{userId}/second-factor', { params: { path: { userId: user.id } } }),
    done: t('users.secondFactorReset', { name: user.name }),
    outdated: ['/users'],
    onClose,
  });
  return (
    <ConfirmDialog
      title={t('users.resetSecondFactor')}
      text={t('users.resetSecondFactorText', { name: user.name })}
      action={t('users.resetSecondFactor')}
      {...reset}
      onClose={onClose}
    />
  );
};

/** Removes a user for good, after their name was typed. */
export const RemoveUserDialog = ({ user, onClose }: UserDialogProps) => {
  const t = useTranslations();
  const remove = useRemove({
    remove: () => client.DELETE('/users/{userId}', { params: { path: { userId: user.id } } }),
    done: t('users.removed', { name: user.name }),
    outdated: ['/users'],
    onClose,
  });
  return (
    <ConfirmDialog
      title={t('users.remove')}
      text={t('users.removeText', { name: user.name })}
      action={t('users.remove')}
      name={user.name}
      {...remove}
      onClose={onClose}
    />
  );
};
