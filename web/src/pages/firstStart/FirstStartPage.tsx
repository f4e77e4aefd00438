import { Alert, Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useBrandedTitle } from '../../components/useBrandedTitle.ts';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { basePath } from '../../api/serviceMeta.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import { NewPasswordInput } from '../../components/NewPasswordInput.tsx';
import { useLanguage } from '../../i18n/language.tsx';
import { toPageLanguage } from '../../i18n/pageLanguages.ts';
import { queryClient } from '../../api/queryClient.ts';
import { NarrowPage } from '../../shell/NarrowPage.tsx';

/** The token of the address. Behind the hash it is sent to nobody. */
const tokenInAddress = (): string => new URLSearchParams(location.hash.slice(1)).get('token') ?? '';

/** Creates the first administrator with the address that the service has printed. */
export const FirstStartPage = () => {
  const t = useTranslations();
  const [token] = useState(tokenInAddress);
  useEffect(() => {
    // It has no place in the history.
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  }, []);
  useBrandedTitle(t('firstStart.title'));
  const start = api.useQuery('get', '/start');
  return (
    <NarrowPage>
      <Stack>
        <Title order={1} fz="h2">
          {t('firstStart.title')}
        </Title>
        {start.data && !start.data.needsAdministrator ? (
          <Alert color="accent" icon={<Icon name="info" />}>
            <Stack gap="xs">
              <Text size="sm">{t('firstStart.exists')}</Text>
              <Anchor href={`${basePath}/`}>{t('firstStart.toSignIn')}</Anchor>
            </Stack>
          </Alert>
        ) : token === '' ? (
          <Alert color="yellow" icon={<Icon name="warning" />}>
            {t('firstStart.noToken')}
          </Alert>
        ) : (
          <FirstAdministratorForm token={token} />
        )}
      </Stack>
    </NarrowPage>
  );
};

const FirstAdministratorForm = ({ token }: { readonly token: string }) => {
  const t = useTranslations();
  const { language: shown } = useLanguage();
  const language = toPageLanguage(shown);
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: '', email: '', password: '' } });
  const create = api.useMutation('post', '/first-administrator', {
    onSuccess: async () => {
      queryClient.clear();
      await navigate({ to: '/' });
    },
  });
  const submit = form.onSubmit(({ name, email, password }) =>
    create.mutate({ body: { token, name, email: email.trim() || null, password, language } }),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text c="dimmed">{t('firstStart.text')}</Text>
        <TextInput
          label={t('common.name')}
          autoComplete="name"
          maxLength={100}
          size="md"
          required
          autoFocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('common.email')}
          description={t('common.optional')}
          type="email"
          autoComplete="email"
          maxLength={254}
          size="md"
          {...form.getInputProps('email')}
        />
        <NewPasswordInput label={t('common.password')} size="md" {...form.getInputProps('password')} />
        {create.error && <ErrorAlert error={create.error} />}
        <Button type="submit" size="md" loading={create.isPending}>
          {t('firstStart.submit')}
        </Button>
      </Stack>
    </form>
  );
};
