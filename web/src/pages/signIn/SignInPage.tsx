import {
  Alert,
  Anchor,
  Button,
  Divider,
  Group,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useBrandedTitle } from '../../components/useBrandedTitle.ts';
import { Suspense, useEffect, useRef, useState, type ChangeEvent, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import { api, ApiError } from '../../api/api.ts';
import { basePath } from '../../api/serviceMeta.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Waiting } from '../../components/QueryView.tsx';
import { useFormat } from '../../i18n/format.ts';
import { queryClient, sessionKey } from '../../api/queryClient.ts';
import { lazyPart } from '../../lib/lazyPart.ts';
import { NarrowPage } from '../../shell/NarrowPage.tsx';

/** Loaded when somebody asks for it. */
const ForgottenPassword = lazyPart(async () => (await import('./ForgottenPassword.tsx')).ForgottenPassword);

/** Why single sign-on sent somebody back, as the service writes it into the address. */
const refusalInAddress = (): string | null => new URLSearchParams(location.search).get('reason');

/** Name and password, then the code of the second factor where the user has one. */
export const SignInPage = ({ hasEnded }: { readonly hasEnded: boolean }) => {
  const t = useTranslations();
  const start = api.useQuery('get', '/start');
  const [refusal] = useState(refusalInAddress);
  const [hasForgotten, setForgotten] = useState(false);
  useBrandedTitle(t('signIn.title'));
  return (
    <NarrowPage below={<Help isDemo={start.data?.isDemo ?? false} />}>
      <Stack>
        <Title order={1} fz="h2">
          {hasForgotten ? t('signIn.forgottenTitle') : t('signIn.title')}
        </Title>
        {hasEnded && !hasForgotten && (
          <Alert color="accent" icon={<Icon name="info" />} role="status">
            {t('signIn.ended')}
          </Alert>
        )}
        {refusal !== null && <ErrorAlert error={new ApiError(401, 'unauthorized', refusal, null, null)} />}
        {start.isPending ? (
          <Waiting lines={3} />
        ) : start.data?.needsAdministrator ? (
          <NoUserYet />
        ) : hasForgotten ? (
          <Suspense fallback={<Waiting lines={2} />}>
            <ForgottenPassword onBack={() => setForgotten(false)} />
          </Suspense>
        ) : (
          <>
            <SignInForm />
            {start.data?.canResetPassword === true && (
              <Button variant="subtle" onClick={() => setForgotten(true)}>
                {t('signIn.forgotten')}
              </Button>
            )}
          </>
        )}
        {start.data?.singleSignOn != null && !hasForgotten && (
          <>
            <Divider label={t('signIn.or')} />
            <Button component="a" href={`${basePath}/web/single-sign-on`} variant="default" fullWidth>
              {t('signIn.singleSignOn', { name: start.data.singleSignOn })}
            </Button>
          </>
        )}
      </Stack>
    </NarrowPage>
  );
};

/** The seconds until attempts are taken again, counted down to zero. */
const useCountdown = (error: unknown): number => {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (!(error instanceof ApiError) || error.status !== 429) return;
    const end = Date.now() + (error.retryAfterS ?? 1) * 1000;
    const tick = (): void => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [error]);
  return left;
};

const noCredentials = { login: '', password: '', code: '' };

const SignInForm = () => {
  const t = useTranslations();
  const format = useFormat();
  const [needsCode, setNeedsCode] = useState(false);
  const [credentials, setCredentials] = useState(noCredentials);
  const passwordInput = useRef<HTMLInputElement>(null);
  const signIn = api.useMutation('post', '/session', {
    // The next keys replace what was wrong.
    onError: () => {
      passwordInput.current?.focus();
      passwordInput.current?.select();
    },
    onSuccess: ({ outcome }) => {
      if (outcome === 'code-required') setNeedsCode(true);
      else void queryClient.resetQueries({ queryKey: sessionKey });
    },
  });
  const secondsLeft = useCountdown(signIn.error);
  const isThrottled = secondsLeft > 0;
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { login, password, code } = credentials;
    signIn.mutate({ body: { login, password, ...(needsCode && { code }) } });
  };
  const inputProps = (name: keyof typeof noCredentials) => ({
    value: credentials[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      setCredentials({ ...credentials, [name]: event.currentTarget.value }),
  });
  const startAgain = (): void => {
    setNeedsCode(false);
    setCredentials(noCredentials);
    signIn.reset();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {needsCode ? (
          <TextInput
            label={t('signIn.code')}
            description={t('signIn.codeHint')}
            autoComplete="one-time-code"
            classNames={{ input: 'code' }}
            size="md"
            required
            withAsterisk={false}
            autoFocus
            {...inputProps('code')}
          />
        ) : (
          <>
            <TextInput
              label={t('signIn.login')}
              autoComplete="username"
              autoCapitalize="none"
              size="md"
              required
              withAsterisk={false}
              autoFocus
              {...inputProps('login')}
            />
            <PasswordInput
              ref={passwordInput}
              label={t('common.password')}
              autoComplete="current-password"
              size="md"
              required
              withAsterisk={false}
              visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
              {...inputProps('password')}
            />
          </>
        )}
        {isThrottled ? (
          <Alert color="yellow" icon={<Icon name="warning" />} role="alert">
            {t('signIn.throttled', { time: format.seconds(secondsLeft) })}
          </Alert>
        ) : (
          signIn.error && <ErrorAlert error={signIn.error} />
        )}
        <Button type="submit" size="md" loading={signIn.isPending} disabled={isThrottled}>
          {t('signIn.submit')}
        </Button>
        {needsCode && (
          <Button variant="subtle" onClick={startAgain}>
            {t('signIn.startAgain')}
          </Button>
        )}
      </Stack>
    </form>
  );
};

const NoUserYet = () => {
  const t = useTranslations();
  return (
    <Alert color="accent" icon={<Icon name="info" />} title={t('signIn.noUserTitle')}>
      {t('signIn.noUserText')}
    </Alert>
  );
};

const Help = ({ isDemo }: { readonly isDemo: boolean }) => {
  const t = useTranslations();
  return (
    <Stack gap={4} align="center" ta="center">
      {isDemo && (
        <Text size="sm" c="dimmed">
          {t('signIn.demo')}
        </Text>
      )}
      <Group gap="md" justify="center">
        <Anchor size="sm" href={`${basePath}/docs`}>
          {t('signIn.docs')}
        </Anchor>
        <Anchor size="sm" href={`${basePath}/readyz`}>
          {t('signIn.state')}
        </Anchor>
      </Group>
    </Stack>
  );
};
