import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '../components/Dialog.tsx';
import { api } from '../api/api.ts';
import { ErrorAlert } from '../components/ErrorAlert.tsx';
import { useNotify } from '../notify/notify.tsx';
import { invalidate } from '../api/queryClient.ts';
import { randomUuid } from '../lib/randomUuid.ts';
import { useFollowMessage } from './followMessage.ts';
import { useGuestLanguage } from './guestLanguage.tsx';
import { GuestLanguageSelect } from './GuestLanguageSelect.tsx';
import type { Voucher } from './voucher.ts';

interface EmailDialogProps {
  readonly voucher: Voucher;
  onClose(): void;
}

/** Sends a voucher to a guest. The id is chosen once, so that a second click sends nothing more. */
export const EmailDialog = ({ voucher, onClose }: EmailDialogProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const [emailId] = useState(randomUuid);
  const [to, setTo] = useState('');
  const [language] = useGuestLanguage();
  const follow = useFollowMessage();
  const send = api.useMutation('put', '/emails/{emailId}', {
    onSuccess: () => {
      notify.done(t('desk.emailOnItsWay', { to: to.trim() }));
      onClose();
      void follow(voucher.id, emailId, to.trim());
    },
    onSettled: () => invalidate('/vouchers/{voucherId}'),
  });
  return (
    <Dialog onClose={onClose} title={t('desk.emailTitle', { code: voucher.formattedCode })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!send.isPending)
            send.mutate({ params: { path: { emailId } }, body: { voucherId: voucher.id, to, language } });
        }}
      >
        <Stack>
          <TextInput
            label={t('desk.emailTo')}
            type="email"
            inputMode="email"
            autoComplete="off"
            maxLength={254}
            required
            data-autofocus
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <GuestLanguageSelect />
          {send.error && <ErrorAlert error={send.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={send.isPending}>
              {t('desk.emailSend')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
