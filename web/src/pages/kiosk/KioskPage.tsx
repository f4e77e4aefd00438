import { ActionIcon, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { Icon, type IconName } from '../../components/Icon.tsx';
import { Waiting } from '../../components/QueryView.tsx';
import { languages, useLanguage } from '../../i18n/language.tsx';
import { DemoNote } from '../../shell/DemoNote.tsx';
import { languageNames } from '../../shell/preferences.ts';
import classes from './KioskPage.module.css';
import { TakenVoucher } from './TakenVoucher.tsx';
import { failureOf, useTakeVoucher, type KioskFailure } from './takeVoucher.ts';

/** After this long without a touch, the next guest is expected. */
const idleMs = 60_000;
/** How often a tablet looks whether its link is still valid. */
const checkMs = 60_000;

/** What guests see on a tablet: they take a voucher themselves. */
export const KioskPage = () => {
  const t = useTranslations();
  const [token] = useState(() => location.hash.slice(1));
  const kiosk = api.useQuery(
    'get',
    '/kiosk',
    { params: { header: { 'X-Kiosk-Token': token } } },
    { refetchInterval: checkMs, retry: false, networkMode: 'always' },
  );
  useDocumentTitle(t('kiosk.title'));
  const failure = kiosk.error ? failureOf(kiosk.error) : undefined;
  return (
    <main className={classes['kiosk']}>
      <Corner />
      <DemoNote />
      {failure === 'withdrawn' || (failure && !kiosk.data) ? (
        <Failure failure={failure} onRetry={() => void kiosk.refetch()} />
      ) : kiosk.data ? (
        <Counter token={token} kiosk={kiosk.data} />
      ) : (
        <Waiting lines={3} />
      )}
    </main>
  );
};

/** The choice of language, and the way to a full screen. */
const Corner = () => {
  const t = useTranslations();
  const { language, show } = useLanguage();
  return (
    <Group className={classes['corner'] ?? ''} gap="xs">
      {languages.map((name) => (
        <Button
          key={name}
          lang={name}
          size="md"
          variant={name === language ? 'light' : 'subtle'}
          aria-pressed={name === language}
          onClick={() => show(name)}
        >
          {languageNames[name]}
        </Button>
      ))}
      {document.fullscreenEnabled && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={42}
          aria-label={t('kiosk.fullScreen')}
          onClick={() =>
            void (document.fullscreenElement
              ? document.exitFullscreen()
              : document.documentElement.requestFullscreen())
          }
        >
          <Icon name="expand" />
        </ActionIcon>
      )}
    </Group>
  );
};

/** Calls back after a while in which nobody touched anything. */
const useIdle = (isOn: boolean, onIdle: () => void): void => {
  const latest = useRef(onIdle);
  useEffect(() => {
    latest.current = onIdle;
  });
  useEffect(() => {
    if (!isOn) return;
    let timer = setTimeout(() => latest.current(), idleMs);
    const restart = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => latest.current(), idleMs);
    };
    document.addEventListener('pointerdown', restart);
    document.addEventListener('keydown', restart);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerdown', restart);
      document.removeEventListener('keydown', restart);
    };
  }, [isOn]);
};

interface CounterProps {
  readonly token: string;
  readonly kiosk: Schemas['KioskView'];
}

const Counter = ({ token, kiosk }: CounterProps) => {
  const t = useTranslations();
  const { language, show } = useLanguage();
  const [usualLanguage] = useState(language);
  const [name, setName] = useState('');
  const { code, failure, isPending, take, reset } = useTakeVoucher(token);
  const startAgain = (): void => {
    reset();
    setName('');
    show(usualLanguage);
  };
  const isAtStart = code === undefined && failure === undefined && name === '' && language === usualLanguage;
  useIdle(!isAtStart && !isPending, startAgain);
  if (code !== undefined)
    return <TakenVoucher kiosk={kiosk} formattedCode={code} idleMs={idleMs} onDone={startAgain} />;
  if (failure !== undefined)
    return <Failure failure={failure} onRetry={() => take(name)} onBack={startAgain} isPending={isPending} />;
  return (
    <form
      className={classes['centre']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) take(name);
      }}
    >
      {kiosk.logo !== null && <img src={kiosk.logo} alt="" className={classes['logo']} />}
      <Text fz="xl" fw={600}>
        {kiosk.siteName}
      </Text>
      <Title order={1} className={classes['title'] ?? ''}>
        {t('kiosk.title')}
      </Title>
      <Text fz="xl" c="dimmed">
        {t('kiosk.text')}
      </Text>
      {kiosk.asksName && (
        <TextInput
          label={t('kiosk.name')}
          size="xl"
          w="100%"
          maw="28rem"
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <Button type="submit" className={classes['button'] ?? ''} loading={isPending}>
        {t('kiosk.take')}
      </Button>
    </form>
  );
};

const icons: Readonly<Record<KioskFailure, IconName>> = {
  limit: 'clock',
  withdrawn: 'blocked',
  network: 'wifi',
  down: 'warning',
};

interface FailureProps {
  readonly failure: KioskFailure;
  readonly isPending?: boolean;
  readonly onRetry: () => void;
  readonly onBack?: () => void;
}

/** Why there is no code, and what the guest can do. */
const Failure = ({ failure, isPending = false, onRetry, onBack }: FailureProps): ReactNode => {
  const t = useTranslations();
  return (
    <Stack className={classes['centre'] ?? ''} role="alert">
      <Text c="dimmed" lh={1} component="span">
        <Icon name={icons[failure]} size={72} />
      </Text>
      <Title order={1} className={classes['title'] ?? ''}>
        {t(`kiosk.${failure}Title`)}
      </Title>
      <Text fz="xl" maw="36rem">
        {t(`kiosk.${failure}Text`)}
      </Text>
      <Group justify="center">
        {failure !== 'withdrawn' && failure !== 'limit' && (
          <Button size="xl" loading={isPending} onClick={onRetry}>
            {t('common.retry')}
          </Button>
        )}
        {onBack && (
          <Button size="xl" variant="default" onClick={onBack}>
            {t('kiosk.back')}
          </Button>
        )}
      </Group>
    </Stack>
  );
};
