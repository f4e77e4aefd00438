import { Button, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { useErrorText } from '../../i18n/errorText.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { randomUuid } from '../../lib/randomUuid.ts';
import classes from './KioskPage.module.css';

interface EmailFormProps {
  send(emailId: string, body: Schemas['KioskEmail']): Promise<unknown>;
}

/** Sends the code to an address that the guest types. Each address has an id of its own, so that a double tap sends one. */
export const EmailForm = ({ send: sendTo }: EmailFormProps) => {
  const t = useTranslations();
  const errorText = useErrorText();
  const { language } = useLanguage();
  const [to, setTo] = useState('');
  const [emailId, setEmailId] = useState(randomUuid);
  const send = useMutation({
    mutationFn: (address: string) => sendTo(emailId, { to: address, language }),
    networkMode: 'always',
    onSuccess: () => setTo(''),
  });
  return (
    <form
      className={classes['email']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!send.isPending) send.mutate(to.trim());
      }}
    >
      <TextInput
        label={t('kiosk.email')}
        description={t('kiosk.emailText')}
        type="email"
        inputMode="email"
        autoComplete="off"
        size="lg"
        maxLength={254}
        required
        withAsterisk={false}
        value={to}
        error={send.error ? errorText(send.error).text : undefined}
        onChange={(event) => {
          setTo(event.currentTarget.value);
          // Another address is another e-mail.
          setEmailId(randomUuid());
          if (send.error) send.reset();
        }}
      />
      <Button type="submit" size="lg" variant="default" loading={send.isPending}>
        {t('kiosk.emailSend')}
      </Button>
      <Text role="status" className={classes['status'] ?? ''}>
        {send.isSuccess && t('kiosk.emailSent', { to: send.variables })}
      </Text>
    </form>
  );
};
