import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  type RouteComponent,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { PagePath } from '../../../src/pages/pagePaths.ts';
import { basePath } from '../api/serviceMeta.ts';
import { Waiting } from '../components/QueryView.tsx';
import type { TextGroup } from '../i18n/loadTexts.ts';
import { PageTexts } from '../i18n/pageTexts.tsx';
import { readDialogSearch } from '../lib/search.ts';
import { readAuditSearch } from '../pages/audit/auditSearch.ts';
import { readReportSearch } from '../pages/reports/reportSearch.ts';
import { readVoucherSearch } from '../pages/vouchers/voucherSearch.ts';
import { useCurrentUser } from '../session/session.ts';
import { readDeskSearch } from '../vouchers/deskSearch.ts';
import { App } from './App.tsx';
import { PageFailed, PageNotFound } from '../shell/fallbackPages.tsx';

const rootRoute = createRootRoute({
  component: App,
  notFoundComponent: PageNotFound,
  validateSearch: readDialogSearch,
});

/** Staff begin where vouchers are made, others where they see how the service is doing. */
const StartPage = () => {
  const { role } = useCurrentUser();
  return <Navigate to={role === 'staff' ? '/desk' : '/overview'} replace />;
};

/** Each page is a file of its own, loaded when somebody goes there, with the texts of its group. */
const lazyPage = <Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
  group: TextGroup,
): RouteComponent =>
  lazyRouteComponent(async () => {
    const Page: ComponentType = (await load())[name];
    return {
      Page: () => (
        <PageTexts group={group} waiting={<Waiting />}>
          <Page />
        </PageTexts>
      ),
    };
  }, 'Page');

const pages: Readonly<Record<PagePath, RouteComponent>> = {
  '/': StartPage,
  '/first-start': lazyRouteComponent(
    () => import('../pages/firstStart/FirstStartPage.tsx'),
    'FirstStartPage',
  ),
  '/set-password': lazyRouteComponent(
    () => import('../pages/setPassword/SetPasswordPage.tsx'),
    'SetPasswordPage',
  ),
  // Without a session every address shows the sign-in; this one is for who comes back from single sign-on.
  '/sign-in': () => <Navigate to="/" replace />,
  '/desk': lazyPage(() => import('../pages/desk/DeskPage.tsx'), 'DeskPage', 'desk'),
  '/vouchers': lazyPage(() => import('../pages/vouchers/VouchersPage.tsx'), 'VouchersPage', 'desk'),
  '/overview': lazyPage(() => import('../pages/overview/OverviewPage.tsx'), 'OverviewPage', 'overview'),
  '/reports': lazyPage(() => import('../pages/reports/ReportsPage.tsx'), 'ReportsPage', 'overview'),
  '/account': lazyPage(() => import('../pages/account/AccountPage.tsx'), 'AccountPage', 'account'),
  '/controllers': lazyPage(
    () => import('../pages/controllers/ControllersPage.tsx'),
    'ControllersPage',
    'controllers',
  ),
  '/sites': lazyPage(() => import('../pages/sites/SitesPage.tsx'), 'SitesPage', 'sites'),
  '/profiles': lazyPage(() => import('../pages/profiles/ProfilesPage.tsx'), 'ProfilesPage', 'profiles'),
  '/printers': lazyPage(() => import('../pages/printers/PrintersPage.tsx'), 'PrintersPage', 'printers'),
  '/kiosks': lazyPage(() => import('../pages/kiosks/KiosksPage.tsx'), 'KiosksPage', 'kiosks'),
  '/kiosk': lazyPage(() => import('../pages/kiosk/KioskPage.tsx'), 'KioskPage', 'guests'),
  '/keys': lazyPage(() => import('../pages/keys/KeysPage.tsx'), 'KeysPage', 'keys'),
  '/webhooks': lazyPage(() => import('../pages/webhooks/WebhooksPage.tsx'), 'WebhooksPage', 'webhooks'),
  '/users': lazyPage(() => import('../pages/users/UsersPage.tsx'), 'UsersPage', 'users'),
  '/limits': lazyPage(() => import('../pages/limits/LimitsPage.tsx'), 'LimitsPage', 'limits'),
  '/mail': lazyPage(() => import('../pages/mail/MailPage.tsx'), 'MailPage', 'operation'),
  '/sms': lazyPage(() => import('../pages/sms/SmsPage.tsx'), 'SmsPage', 'sms'),
  '/branding': lazyPage(() => import('../pages/branding/BrandingPage.tsx'), 'BrandingPage', 'branding'),
  '/audit': lazyPage(() => import('../pages/audit/AuditPage.tsx'), 'AuditPage', 'operation'),
  '/system': lazyPage(() => import('../pages/system/SystemPage.tsx'), 'SystemPage', 'operation'),
};

/** Public, at an address for each. */
const guestPage = lazyPage(() => import('../pages/guest/GuestPage.tsx'), 'GuestPage', 'guests');

const getParentRoute = () => rootRoute;

// Apart from the tree, which would widen the types of what is written within it.
const routes = [
  createRoute({ getParentRoute, path: '/', component: pages['/'] }),
  createRoute({ getParentRoute, path: '/first-start', component: pages['/first-start'] }),
  createRoute({ getParentRoute, path: '/sign-in', component: pages['/sign-in'] }),
  createRoute({ getParentRoute, path: '/set-password', component: pages['/set-password'] }),
  createRoute({ getParentRoute, path: '/desk', component: pages['/desk'], validateSearch: readDeskSearch }),
  createRoute({
    getParentRoute,
    path: '/vouchers',
    component: pages['/vouchers'],
    validateSearch: readVoucherSearch,
  }),
  createRoute({ getParentRoute, path: '/overview', component: pages['/overview'] }),
  createRoute({
    getParentRoute,
    path: '/reports',
    component: pages['/reports'],
    validateSearch: readReportSearch,
  }),
  createRoute({ getParentRoute, path: '/account', component: pages['/account'] }),
  createRoute({ getParentRoute, path: '/controllers', component: pages['/controllers'] }),
  createRoute({ getParentRoute, path: '/sites', component: pages['/sites'] }),
  createRoute({ getParentRoute, path: '/profiles', component: pages['/profiles'] }),
  createRoute({ getParentRoute, path: '/printers', component: pages['/printers'] }),
  createRoute({ getParentRoute, path: '/kiosks', component: pages['/kiosks'] }),
  createRoute({ getParentRoute, path: '/kiosk', component: pages['/kiosk'] }),
  createRoute({ getParentRoute, path: '/guest/$slug', component: guestPage }),
  createRoute({ getParentRoute, path: '/keys', component: pages['/keys'] }),
  createRoute({ getParentRoute, path: '/webhooks', component: pages['/webhooks'] }),
  createRoute({ getParentRoute, path: '/users', component: pages['/users'] }),
  createRoute({ getParentRoute, path: '/limits', component: pages['/limits'] }),
  createRoute({ getParentRoute, path: '/mail', component: pages['/mail'] }),
  createRoute({ getParentRoute, path: '/sms', component: pages['/sms'] }),
  createRoute({ getParentRoute, path: '/branding', component: pages['/branding'] }),
  createRoute({
    getParentRoute,
    path: '/audit',
    component: pages['/audit'],
    validateSearch: readAuditSearch,
  }),
  createRoute({ getParentRoute, path: '/system', component: pages['/system'] }),
] as const;

export const router = createRouter({
  basepath: basePath,
  routeTree: rootRoute.addChildren(routes),
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
