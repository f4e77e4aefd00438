import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  type RouteComponent,
} from '@tanstack/react-router';
import type { PagePath } from '../../src/http/pages/pagePaths.ts';
import { App } from './shell/App.tsx';
import { PageFailed, PageNotFound } from './shell/troubles.tsx';

const rootRoute = createRootRoute({ component: App, notFoundComponent: PageNotFound });

/** Each page is a file of its own, loaded when somebody goes there. */
const pages: Readonly<Record<PagePath, RouteComponent>> = {
  '/': lazyRouteComponent(() => import('./pages/overview/OverviewPage.tsx'), 'OverviewPage'),
  '/first-start': lazyRouteComponent(() => import('./pages/firstStart/FirstStartPage.tsx'), 'FirstStartPage'),
  // Without a session every address shows the sign-in; this one is for who comes back from single sign-on.
  '/sign-in': () => <Navigate to="/" replace />,
  '/account': lazyRouteComponent(() => import('./pages/account/AccountPage.tsx'), 'AccountPage'),
  '/controllers': lazyRouteComponent(
    () => import('./pages/controllers/ControllersPage.tsx'),
    'ControllersPage',
  ),
  '/sites': lazyRouteComponent(() => import('./pages/sites/SitesPage.tsx'), 'SitesPage'),
  '/profiles': lazyRouteComponent(() => import('./pages/profiles/ProfilesPage.tsx'), 'ProfilesPage'),
  '/keys': lazyRouteComponent(() => import('./pages/keys/KeysPage.tsx'), 'KeysPage'),
  '/webhooks': lazyRouteComponent(() => import('./pages/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  '/users': lazyRouteComponent(() => import('./pages/users/UsersPage.tsx'), 'UsersPage'),
  '/audit': lazyRouteComponent(() => import('./pages/audit/AuditPage.tsx'), 'AuditPage'),
  '/system': lazyRouteComponent(() => import('./pages/system/SystemPage.tsx'), 'SystemPage'),
};

const routes = Object.entries(pages).map(([path, component]) =>
  createRoute({ getParentRoute: () => rootRoute, path, component }),
);

export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  scrollRestoration: true,
});
