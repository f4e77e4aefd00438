import { Button, Text, TextInput, type TextInputProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { randomUuid } from '../../lib/randomUuid.ts';
import { useGuestErrorText } from './guestErrorText.ts';
import classes from './KioskPage.module.css';

type Send = (id: string, body: Schemas['KioskEmail'] | Schemas['KioskSms']) => Promise<unknown>;

/** Sends the code to an e-mail address that the guest types. */
export const EmailForm = ({ send }: { readonly send: Send }) => {
  const t = useTranslations();
  return (
    <SendForm
      send={send}
      label={t('kiosk.email')}
      description={t('kiosk.emailText')}
      maxLength={254}
      type="email"
      inputMode="email"
      sentText={(to) => t('kiosk.emailSent', { to })}
    />
  );
};

interface SmsFormProps {
  readonly send: Send;
  /** For numbers that are typed without one. */
  readonly countryCode: string | null;
}

/** Sends the code to a phone number that the guest types. */
export const SmsForm = ({ send, countryCode }: SmsFormProps) => {
  const t = useTranslations();
  const description =
    countryCode === null ? t('kiosk.smsText') : t('kiosk.smsTextWithCode', { code: `+${countryCode}` });
  return (
    <SendForm
      send={send}
      label={t('kiosk.sms')}
      description={description}
      maxLength={40}
      type="tel"
      inputMode="tel"
      dir="ltr"
      sentText={(to) => t('kiosk.smsSent', { to })}
    />
  );
};

interface SendFormProps extends Pick<
  TextInputProps,
  'label' | 'description' | 'type' | 'inputMode' | 'maxLength' | 'dir'
> {
  readonly send: Send;
  sentText(to: string): string;
}

/** Each recipient has an id of its own, so that a double tap sends one message. */
const SendForm = ({ send: sendTo, sentText, ...field }: SendFormProps) => {
  const t = useTranslations();
  const errorText = useGuestErrorText();
  const { language } = useLanguage();
  const [to, setTo] = useState('');
  const [id, setId] = useState(randomUuid);
  const send = useMutation({
    mutationFn: (recipient: string) => sendTo(id, { to: recipient, language }),
    networkMode: 'always',
    onSuccess: () => setTo(''),
  });
  return (
    <form
      className={classes['send']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!send.isPending) send.mutate(to.trim());
      }}
    >
      <TextInput
        {...field}
        autoComplete="off"
        size="lg"
        required
        withAsterisk={false}
        value={to}
        error={send.error ? errorText(send.error) : undefined}
        inputContainer={(input) => (
          <div className={classes['sendRow']}>
            {input}
            <Button type="submit" size="lg" variant="default" loading={send.isPending}>
              {t('kiosk.send')}
            </Button>
          </div>
        )}
        onChange={(event) => {
          setTo(event.currentTarget.value);
          // Another recipient is another message.
          setId(randomUuid());
          if (send.error) send.reset();
        }}
      />
      <Text role="status" className={classes['status'] ?? ''}>
        {send.isSuccess && sentText(send.variables)}
      </Text>
    </form>
  );
};
