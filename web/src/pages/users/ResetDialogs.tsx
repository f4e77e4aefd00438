import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { invalidate } from '../../api/queryClient.ts';
import { TemporaryPassword } from './TemporaryPassword.tsx';
import { UserModal, type UserDialogProps } from './UserDialog.tsx';

/** Gives a user a new password, which is shown once. */
export const ResetPasswordDialog = ({ user, onClose }: UserDialogProps) => {
  const t = useTranslations();
  const reset = api.useMutation('post', '/users/{userId}/password', {
    onSuccess: () => invalidate('/users'),
  });
  if (reset.data)
    return (
      <UserModal title={t('users.newPassword', { name: user.name })} isSticky onClose={onClose}>
        <TemporaryPassword password={reset.data.password} onClose={onClose} />
      </UserModal>
    );
  return (
    <ConfirmDialog
      opened
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
  const notify = useNotify();
  const reset = api.useMutation('delete', '/users/{userId}/second-factor', {
    onSuccess: async () => {
      notify.done(t('users.secondFactorReset', { name: user.name }));
      await invalidate('/users');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened
      title={t('users.resetSecondFactor')}
      text={t('users.resetSecondFactorText', { name: user.name })}
      action={t('users.resetSecondFactor')}
      isPending={reset.isPending}
      error={reset.error}
      onConfirm={() => reset.mutate({ params: { path: { userId: user.id } } })}
      onClose={onClose}
    />
  );
};

/** Removes a user for good, after their name was typed. */
export const RemoveUserDialog = ({ user, onClose }: UserDialogProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const remove = api.useMutation('delete', '/users/{userId}', {
    onSuccess: async () => {
      notify.done(t('users.removed', { name: user.name }));
      await invalidate('/users');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened
      title={t('users.remove')}
      text={t('users.removeText', { name: user.name })}
      action={t('users.remove')}
      name={user.name}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { path: { userId: user.id } } })}
      onClose={onClose}
    />
  );
};
