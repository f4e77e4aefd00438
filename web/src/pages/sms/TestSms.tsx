import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import { usePickText } from '../../i18n/language.tsx';
import { showInView } from '../../lib/showInView.ts';

interface TestSmsProps {
  readonly settings: () => Schemas['SmsProviderSettings'];
  /** Whether what is entered is what is stored. */
  readonly isSaved: boolean;
}

/** Sends an SMS with what is entered, saved or not, and shows what the provider said. */
export const TestSms = ({ settings, isSaved }: TestSmsProps) => {
  const t = useTranslations();
  const pickText = usePickText();
  const [to, setTo] = useState('');
  const test = api.useMutation('post', '/sms-provider/test');
  const { data } = test;
  const reason = data?.reason ? pickText(data.reason) : '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!test.isPending) test.mutate({ body: { to: to.trim(), provider: settings() } });
      }}
    >
      <Stack>
        <Group align="flex-end">
          <TextInput
            label={t('sms.to')}
            type="tel"
            maxLength={40}
            required
            autoComplete="off"
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={test.isPending}>
            {t('sms.test')}
          </Button>
        </Group>
        {test.error && <ErrorAlert error={test.error} />}
        {data?.isSent === true && (
          <Alert ref={showInView} color="teal" icon={<Icon name="check" />} role="status">
            {t('sms.sent', { to: data.to })} {!isSaved && t('sms.notSaved')}
          </Alert>
        )}
        {data?.isSent === false && (
          <Alert
            ref={showInView}
            color="red"
            icon={<Icon name="error" />}
            title={t('sms.notSent')}
            role="alert"
          >
            <Stack gap={4}>
              <Text size="sm" className="sentence">
                {reason}
              </Text>
              {data.answer !== null && !reason.includes(data.answer) && (
                <>
                  <Text size="sm">{t('sms.answer')}</Text>
                  <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                    {data.answer}
                  </Code>
                </>
              )}
            </Stack>
          </Alert>
        )}
      </Stack>
    </form>
  );
};
