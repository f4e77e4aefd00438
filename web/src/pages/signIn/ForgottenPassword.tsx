import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';

/** Asks for a link to choose a new password. Whether there is such a user is told to nobody. */
export const ForgottenPassword = ({ onBack }: { readonly onBack: () => void }) => {
  const t = useTranslations();
  const [login, setLogin] = useState('');
  const request = api.useMutation('post', '/password-reset-requests');
  return (
    <Stack>
      {request.isSuccess ? (
        <Alert color="teal" icon={<Icon name="mail" />} role="status">
          {t('signIn.linkSent')}
        </Alert>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            request.mutate({ body: { login } });
          }}
        >
          <Stack>
            <Text c="dimmed">{t('signIn.forgottenText')}</Text>
            <TextInput
              label={t('signIn.login')}
              autoComplete="username"
              autoCapitalize="none"
              size="md"
              maxLength={254}
              required
              withAsterisk={false}
              autoFocus
              value={login}
              onChange={(event) => setLogin(event.currentTarget.value)}
            />
            {request.error && <ErrorAlert error={request.error} />}
            <Button type="submit" size="md" loading={request.isPending}>
              {t('signIn.sendLink')}
            </Button>
          </Stack>
        </form>
      )}
      <Button variant="subtle" onClick={onBack}>
        {t('signIn.backToSignIn')}
      </Button>
    </Stack>
  );
};
