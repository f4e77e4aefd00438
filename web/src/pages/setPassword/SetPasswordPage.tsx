import { Alert, Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useBrandedTitle } from '../../components/useBrandedTitle.ts';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { basePath } from '../../api/serviceMeta.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import { NewPasswordInput } from '../../components/NewPasswordInput.tsx';
import { NarrowPage } from '../../shell/NarrowPage.tsx';

/** The token of the link. Behind the hash it is sent to nobody before the password is. */
const tokenInAddress = (): string => new URLSearchParams(location.hash.slice(1)).get('token') ?? '';

/** Where the link of an e-mail leads: somebody new, or who has forgotten theirs, chooses a password. */
export const SetPasswordPage = () => {
  const t = useTranslations();
  const [token] = useState(tokenInAddress);
  useEffect(() => {
    // It has no place in the history.
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  }, []);
  useBrandedTitle(t('signIn.choosePassword'));
  const form = useForm({ initialValues: { password: '' } });
  const choose = api.useMutation('post', '/password-resets');
  return (
    <NarrowPage>
      <Stack>
        <Title order={1} fz="h2">
          {t('signIn.choosePassword')}
        </Title>
        {choose.isSuccess ? (
          <>
            <Alert color="teal" icon={<Icon name="check" />} role="status">
              {t('signIn.passwordChosen')}
            </Alert>
            {/* The field that had the focus is gone. */}
            <Button component="a" href={`${basePath}/`} size="md" ref={(link) => link?.focus()}>
              {t('signIn.toSignIn')}
            </Button>
          </>
        ) : token === '' ? (
          <>
            <Alert color="yellow" icon={<Icon name="warning" />}>
              {t('signIn.noToken')}
            </Alert>
            <Anchor href={`${basePath}/`}>{t('signIn.toSignIn')}</Anchor>
          </>
        ) : (
          <form onSubmit={form.onSubmit(({ password }) => choose.mutate({ body: { token, password } }))}>
            <Stack>
              <Text c="dimmed">{t('signIn.choosePasswordText')}</Text>
              <NewPasswordInput size="md" autoFocus {...form.getInputProps('password')} />
              {choose.error && <ErrorAlert error={choose.error} />}
              <Button type="submit" size="md" loading={choose.isPending}>
                {t('signIn.savePassword')}
              </Button>
            </Stack>
          </form>
        )}
      </Stack>
    </NarrowPage>
  );
};
