import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import { usePickText } from '../../i18n/language.tsx';
import { showInView } from '../../lib/showInView.ts';
import { useCurrentUser } from '../../session/session.ts';

interface TestMailProps {
  readonly settings: () => Schemas['MailServerSettings'];
  /** Whether what is entered is what is stored. */
  readonly isSaved: boolean;
}

/** Sends an e-mail with what is entered, saved or not, and shows what the mail server said. */
export const TestMail = ({ settings, isSaved }: TestMailProps) => {
  const t = useTranslations();
  const pickText = usePickText();
  const [to, setTo] = useState(useCurrentUser().email ?? '');
  const test = api.useMutation('post', '/mail-server/test');
  const { data } = test;
  const reason = data?.reason ? pickText(data.reason) : '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        test.mutate({ body: { to: to.trim(), server: settings() } });
      }}
    >
      <Stack>
        <Group align="flex-end">
          <TextInput
            label={t('mail.to')}
            type="email"
            maxLength={254}
            required
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={test.isPending}>
            {t('mail.test')}
          </Button>
        </Group>
        {test.error && <ErrorAlert error={test.error} />}
        {data?.isSent === true && (
          <Alert ref={showInView} color="teal" icon={<Icon name="check" />} role="status">
            {t('mail.sent')} {!isSaved && t('mail.notSaved')}
          </Alert>
        )}
        {data?.isSent === false && (
          <Alert
            ref={showInView}
            color="red"
            icon={<Icon name="error" />}
            title={t('mail.notSent')}
            role="alert"
          >
            <Stack gap={4}>
              <Text size="sm" className="sentence">
                {reason}
              </Text>
              {data.answer !== null && !reason.includes(data.answer) && (
                <>
                  <Text size="sm">{t('mail.answer')}</Text>
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
