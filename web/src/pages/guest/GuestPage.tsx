import { Button, Loader, Stack, Text, Title } from '@mantine/core';
import { useGuestTitle } from '../../components/useBrandedTitle.ts';
import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { Icon, type IconName } from '../../components/Icon.tsx';
import { Waiting } from '../../components/QueryView.tsx';
import { KioskFailureView } from '../kiosk/KioskFailureView.tsx';
import { KioskFrame } from '../kiosk/KioskFrame.tsx';
import classes from '../kiosk/KioskPage.module.css';
import { KioskStart } from '../kiosk/KioskStart.tsx';
import { failureOf } from '../kiosk/takeVoucher.ts';
import { GuestCode } from './GuestCode.tsx';
import { isSettled, useGuestOrder } from './guestOrder.ts';

type View = Schemas['KioskView'];

/** What guests see at a public address: they get a voucher on their own phone. */
export const GuestPage = () => {
  const t = useTranslations();
  const { slug = '' } = useParams({ strict: false });
  const page = api.useQuery(
    'get',
    '/guest/{slug}',
    { params: { path: { slug } } },
    { retry: false, networkMode: 'always' },
  );
  useGuestTitle(t('kiosk.title'));
  const failure = page.error ? failureOf(page.error) : undefined;
  return (
    <KioskFrame source={{ slug }} kiosk={page.data} hasFullScreen={false}>
      {failure && !page.data ? (
        failure === 'withdrawn' ? (
          <Notice icon="blocked" title={t('guest.closedTitle')} text={t('guest.closedText')} />
        ) : (
          <KioskFailureView failure={failure} onRetry={() => void page.refetch()} />
        )
      ) : page.data ? (
        <Counter slug={slug} page={page.data} />
      ) : (
        <Waiting lines={3} />
      )}
    </KioskFrame>
  );
};

const Counter = ({ slug, page }: { readonly slug: string; readonly page: View }) => {
  const t = useTranslations();
  const [name, setName] = useState('');
  const order = useGuestOrder(slug);
  const { result, isFindingOut, orderId, profileId, error, isPending } = order;
  const { wish, ask, retry, startAgain, withdraw } = order;
  const again = (
    <Button size="lg" variant="default" onClick={startAgain}>
      {t('kiosk.back')}
    </Button>
  );
  if (isFindingOut) return <Waiting lines={3} />;
  if (withdraw.error)
    return (
      <KioskFailureView
        failure={failureOf(withdraw.error)}
        isPending={withdraw.isPending}
        onRetry={withdraw.run}
        onBack={withdraw.dismiss}
      />
    );
  // Also while something is waited for: it is asked for again by itself.
  if (error && !(result && isSettled(result)))
    return (
      <KioskFailureView
        failure={failureOf(error)}
        isPending={isPending}
        onRetry={retry}
        // A request goes on waiting as long as nobody withdraws it.
        onBack={result?.state === 'waiting' ? withdraw.run : startAgain}
      />
    );
  switch (result?.state) {
    case 'made':
      return (
        <GuestCode
          slug={slug}
          orderId={orderId}
          page={page}
          result={result}
          profileId={profileId}
          onAgain={startAgain}
        />
      );
    case 'waiting':
      return (
        <Notice title={t('guest.waitingTitle')} text={t('guest.waitingText')} isBusy>
          <Button size="lg" variant="default" loading={withdraw.isPending} onClick={withdraw.run}>
            {t('guest.cancel')}
          </Button>
        </Notice>
      );
    case 'open':
      return <Notice title={t('guest.openTitle')} text={t('guest.openText')} isBusy />;
    case 'refused':
      return (
        <Notice icon="blocked" title={t('guest.refusedTitle')} text={t('guest.refusedText')}>
          {again}
        </Notice>
      );
    case 'expired':
      return (
        <Notice icon="clock" title={t('guest.expiredTitle')} text={t('guest.expiredText')}>
          {again}
        </Notice>
      );
    case 'failed':
      return <KioskFailureView failure="down" onRetry={startAgain} onBack={startAgain} />;
    case undefined:
      return (
        <KioskStart
          kiosk={page}
          name={name}
          pendingProfileId={isPending ? wish?.profileId : undefined}
          onNameChange={setName}
          onTake={(chosen) => {
            if (!isPending) ask({ name, profileId: chosen });
          }}
        />
      );
  }
};

interface NoticeProps {
  readonly title: string;
  readonly text: string;
  readonly icon?: IconName;
  readonly isBusy?: boolean;
  readonly children?: ReactNode;
}

/** What is going on, announced to screen readers. */
const Notice = ({ title, text, icon, isBusy = false, children }: NoticeProps) => (
  <Stack className={classes['centre'] ?? ''} role="status">
    {isBusy && <Loader aria-hidden />}
    {icon && (
      <Text c="dimmed" lh={1} component="span">
        <Icon name={icon} size={72} />
      </Text>
    )}
    <Title order={1} className={classes['title'] ?? ''}>
      {title}
    </Title>
    <Text fz="xl" maw="36rem">
      {text}
    </Text>
    {children}
  </Stack>
);
