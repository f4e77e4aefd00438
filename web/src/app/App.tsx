import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { api, isSignedOut } from '../api/api.ts';
import { useLiveEvents } from '../api/liveEvents.ts';
import { ErrorAlert } from '../components/ErrorAlert.tsx';
import { Waiting } from '../components/QueryView.tsx';
import { useLanguage } from '../i18n/language.tsx';
import { isPageLanguage } from '../i18n/pageLanguages.ts';
import { PageTexts } from '../i18n/pageTexts.tsx';
import { UserContext, type CurrentUser } from '../session/session.ts';
import { NarrowPage } from '../shell/NarrowPage.tsx';
import { useOwnValidity } from './ownValidity.ts';

const SignInPage = lazy(async () => ({
  default: (await import('../pages/signIn/SignInPage.tsx')).SignInPage,
}));
const Shell = lazy(async () => ({ default: (await import('../shell/Shell.tsx')).Shell }));
const DutyPage = lazy(async () => ({ default: (await import('../pages/account/DutyPage.tsx')).DutyPage }));

/** What needs no session: the first start, the link to choose a password, and what guests see; beside them guest pages. */
const publicPaths = ['/first-start', '/set-password', '/kiosk'];

/** Decides what is shown: a page for everybody, the sign-in, what somebody has to do first, or the pages. */
export const App = () => {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useOwnValidity();
  const isPublic = publicPaths.includes(path) || path.startsWith('/guest/');
  return isPublic ? <Outlet /> : <Guarded />;
};

const Guarded = () => {
  const {
    data: user,
    error,
    refetch,
  } = api.useQuery(
    'get',
    '/session',
    {},
    // Only when something calls for it: what somebody is in the middle of stays.
    { retry: false, refetchOnReconnect: false },
  );
  // Signing out loads the page anew: whoever was here is asked again because their session has ended.
  const [wasSignedIn, setSignedIn] = useState(false);
  if (user && !wasSignedIn) setSignedIn(true);
  if (user) return <SignedIn user={user} />;
  if (isSignedOut(error))
    return (
      <Suspense fallback={<Waiting />}>
        <SignInPage hasEnded={wasSignedIn} />
      </Suspense>
    );
  return (
    <NarrowPage>{error ? <ErrorAlert error={error} retry={() => void refetch()} /> : <Waiting />}</NarrowPage>
  );
};

const SignedIn = ({ user }: { readonly user: CurrentUser }) => {
  const { choose } = useLanguage();
  useEffect(() => {
    if (isPageLanguage(user.language)) choose(user.language);
  }, [user.language, choose]);
  const hasDuty = user.mustChangePassword || user.mustSetUpSecondFactor;
  useLiveEvents(!hasDuty);
  return (
    <UserContext value={user}>
      <Suspense fallback={<Waiting />}>
        {hasDuty ? (
          <PageTexts group="account" waiting={<Waiting />}>
            <DutyPage />
          </PageTexts>
        ) : (
          <Shell />
        )}
      </Suspense>
    </UserContext>
  );
};
