import { Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../api/api.ts';
import type { Schemas } from '../api/schemas.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { usePickText } from '../i18n/language.tsx';
import { useNotify } from '../notify/notify.tsx';
import { invalidate } from '../api/queryClient.ts';

interface RevokeDialogProps {
  readonly selection: Schemas['VoucherSelection'];
  readonly count: number;
  /** The code, where it is one voucher. */
  readonly code?: string;
  /** Whom it is for, where that is one guest. */
  readonly guest?: string;
  onClose(): void;
}

/** Asks before vouchers are revoked; what failed stays on the screen with its reason. */
export const RevokeDialog = ({ selection, count, code, guest = '', onClose }: RevokeDialogProps) => {
  const t = useTranslations();
  const pickText = usePickText();
  const notify = useNotify();
  const revoke = api.useMutation('post', '/vouchers/revocations', {
    onSuccess: ({ revoked, failed }) => {
      if (revoked.length > 0) notify.done(t('desk.revoked', { count: revoked.length }));
      if (failed.length === 0) onClose();
    },
    onSettled: () => invalidate('/vouchers', '/vouchers/{voucherId}', '/orders', '/orders/{orderId}'),
  });
  const reasons = new Set(revoke.data?.failed.map(({ reason }) => pickText(reason)));
  return (
    <ConfirmDialog
      title={code === undefined ? t('desk.revokeMany', { count }) : t('desk.revokeOne', { code })}
      text={
        <Stack gap="xs">
          {guest !== '' && <Text fw={600}>{guest}</Text>}
          <span>{t('desk.revokeText', { count })}</span>
          {reasons.size > 0 && (
            <Text c="var(--mantine-color-error)" role="alert">
              {t('desk.revokeFailed', { count: revoke.data?.failed.length ?? 0 })} {[...reasons].join(' ')}
            </Text>
          )}
        </Stack>
      }
      action={t('desk.revoke')}
      // A slip with many guests is costly.
      {...(count > 1 && { name: String(count) })}
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ body: selection })}
      onClose={onClose}
    />
  );
};
