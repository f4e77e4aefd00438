import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog, guardOnce } from '../../components/Dialog.tsx';
import { api } from '../../api/api.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { useFormat } from '../../i18n/format.ts';
import { invalidate } from '../../api/queryClient.ts';
import { NewSecret } from './NewSecret.tsx';
import type { WebhookDialogProps } from './WebhookTable.tsx';

/** How long the old secret may go on signing, in hours. */
const overlaps = [24, 168, 0] as const;

/** Replaces the secret that signs, and shows the new one, once. */
export const RotateSecret = ({ webhook: { id: webhookId, name }, onClose }: WebhookDialogProps) => {
  const t = useTranslations();
  const format = useFormat();
  const [overlapHours, setOverlapHours] = useState<number>(overlaps[0]);
  const rotate = api.useMutation('post', '/webhooks/{webhookId}/secret', {
    onSettled: () => invalidate('/webhooks'),
  });
  return (
    <Dialog title={t('webhooks.rotateOf', { name })} guard={guardOnce(rotate)} onClose={onClose}>
      {rotate.data ? (
        <Stack>
          <NewSecret secret={rotate.data.secret} />
          <Text>
            {overlapHours === 0
              ? t('webhooks.oldSecretEnded')
              : t('webhooks.oldSecretUntil', { time: format.dateTime(rotate.data.oldUntil) })}
          </Text>
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('webhooks.done')}</Button>
          </Group>
        </Stack>
      ) : (
        <Stack>
          <Text>{t('webhooks.rotateText')}</Text>
          <NativeSelect
            label={t('webhooks.overlap')}
            data={overlaps.map((hours) => ({
              value: String(hours),
              label: hours === 0 ? t('webhooks.noOverlap') : format.duration(hours * 60),
            }))}
            value={String(overlapHours)}
            onChange={(event) => setOverlapHours(Number(event.currentTarget.value))}
          />
          {rotate.error && <ErrorAlert error={rotate.error} />}
          <Group justify="flex-end">
            <Button variant="default" disabled={rotate.isPending} onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button
              loading={rotate.isPending}
              onClick={() => rotate.mutate({ params: { path: { webhookId } }, body: { overlapHours } })}
            >
              {t('webhooks.rotate')}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
};
