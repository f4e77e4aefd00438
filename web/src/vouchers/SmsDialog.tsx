import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../api/api.ts';
import { invalidate } from '../api/queryClient.ts';
import { Dialog } from '../components/Dialog.tsx';
import { ErrorAlert } from '../components/ErrorAlert.tsx';
import { PageTexts } from '../i18n/pageTexts.tsx';
import { randomUuid } from '../lib/randomUuid.ts';
import { useNotify } from '../notify/notify.tsx';
import { useFollowMessage } from './followMessage.ts';
import { useGuestLanguage } from './guestLanguage.tsx';
import { GuestLanguageSelect } from './GuestLanguageSelect.tsx';
import type { Voucher } from './voucher.ts';

interface SmsDialogProps {
  readonly voucher: Voucher;
  /** For numbers that are typed without one. */
  readonly countryCode: string | null;
  onClose(): void;
}

/** Sends a voucher to the phone of a guest. */
export const SmsDialog = (props: SmsDialogProps) => (
  <PageTexts group="sms" waiting={null}>
    <SmsForm {...props} />
  </PageTexts>
);

/** The id is chosen once, so that a second click sends nothing more. */
const SmsForm = ({ voucher, countryCode, onClose }: SmsDialogProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const [smsId] = useState(randomUuid);
  const [to, setTo] = useState('');
  const [language] = useGuestLanguage();
  const follow = useFollowMessage();
  const send = api.useMutation('put', '/sms/{smsId}', {
    onSuccess: (sms) => {
      notify.done(t('sms.onItsWay', { to: sms.to }));
      onClose();
      void follow(voucher.id, smsId, sms.to);
    },
    onSettled: () => invalidate('/vouchers/{voucherId}'),
  });
  return (
    <Dialog onClose={onClose} title={t('sms.sendTitle', { code: voucher.formattedCode })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!send.isPending)
            send.mutate({
              params: { path: { smsId } },
              body: { voucherId: voucher.id, to: to.trim(), language },
            });
        }}
      >
        <Stack>
          <TextInput
            label={t('sms.guestNumber')}
            description={
              countryCode === null
                ? t('sms.numberHint')
                : t('sms.numberHintWithCode', { code: `+${countryCode}` })
            }
            type="tel"
            inputMode="tel"
            autoComplete="off"
            maxLength={40}
            required
            data-autofocus
            value={to}
            onChange={(event) => {
              setTo(event.currentTarget.value);
              if (send.error) send.reset();
            }}
          />
          <GuestLanguageSelect />
          {send.error && <ErrorAlert error={send.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={send.isPending}>
              {t('sms.send')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
