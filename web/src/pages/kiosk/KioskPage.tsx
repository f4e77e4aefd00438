import { useGuestTitle } from '../../components/useBrandedTitle.ts';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { Waiting } from '../../components/QueryView.tsx';
import { initialLanguage, useLanguage } from '../../i18n/language.tsx';
import { KioskFailureView } from './KioskFailureView.tsx';
import { KioskFrame } from './KioskFrame.tsx';
import { KioskStart } from './KioskStart.tsx';
import { TakenVoucher } from './TakenVoucher.tsx';
import { failureOf, useTakeVoucher } from './takeVoucher.ts';
import { useIdle } from './useIdle.ts';

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
  useGuestTitle(t('kiosk.title'));
  const failure = kiosk.error ? failureOf(kiosk.error) : undefined;
  return (
    <KioskFrame source={{ token }} kiosk={kiosk.data} hasFullScreen>
      {failure === 'withdrawn' || (failure && !kiosk.data) ? (
        <KioskFailureView failure={failure} onRetry={() => void kiosk.refetch()} />
      ) : kiosk.data ? (
        <Counter token={token} kiosk={kiosk.data} />
      ) : (
        <Waiting lines={3} />
      )}
    </KioskFrame>
  );
};

/** A tablet stays open for months: it loads its page again after an update of the service, while nobody uses it. */
const useReloadAfterUpdate = (version: string, isUnused: boolean): void => {
  const [loadedVersion] = useState(version);
  useEffect(() => {
    if (isUnused && version !== loadedVersion) location.reload();
  }, [isUnused, version, loadedVersion]);
};

interface CounterProps {
  readonly token: string;
  readonly kiosk: Schemas['KioskView'];
}

const Counter = ({ token, kiosk }: CounterProps) => {
  const { language, show } = useLanguage();
  // Not the one that is shown: a guest may have chosen it before the kiosk was there.
  const [usualLanguage] = useState(initialLanguage);
  const [name, setName] = useState('');
  const { taken, failure, isPending, wish, take, reset } = useTakeVoucher(token);
  const startAgain = (): void => {
    reset();
    setName('');
    show(usualLanguage);
  };
  const isAtStart = !taken && failure === undefined && name === '' && language === usualLanguage;
  useIdle(!isAtStart && !isPending, kiosk.idleSeconds * 1000, startAgain);
  useReloadAfterUpdate(kiosk.version, isAtStart && !isPending);
  if (taken) return <TakenVoucher token={token} kiosk={kiosk} taken={taken} onDone={startAgain} />;
  if (failure !== undefined)
    return (
      <KioskFailureView
        failure={failure}
        onRetry={() => wish && take(wish)}
        onBack={startAgain}
        isPending={isPending}
      />
    );
  return (
    <KioskStart
      kiosk={kiosk}
      name={name}
      pendingProfileId={isPending ? wish?.profileId : undefined}
      onNameChange={setName}
      onTake={(profileId) => !isPending && take({ name, profileId })}
    />
  );
};
