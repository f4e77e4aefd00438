import { ControllerError, withKnownOutcome } from '../errors.js';
import type { Connection } from '../https/connection.js';

/** Where UniFi Network runs: on a console with UniFi OS, or as a program of its own. */
export interface ClassicVariant {
  readonly kind: 'self-hosted' | 'unifi-os';
  /** Comes before the paths of UniFi Network. */
  readonly prefix: string;
  readonly loginPath: string;
  readonly logoutPath: string;
}

const selfHosted: ClassicVariant = {
  kind: 'self-hosted',
  prefix: '',
  loginPath: '/api/login',
  logoutPath: '/api/logout',
};

const unifiOs: ClassicVariant = {
  kind: 'unifi-os',
  prefix: '/proxy/network',
  loginPath: '/api/auth/login',
  logoutPath: '/api/auth/logout',
};

/** A self-hosted controller redirects its first page to `/manage`; UniFi OS serves it. */
export const detectVariant = async (
  connection: Connection,
  name: string,
  signal?: AbortSignal,
): Promise<ClassicVariant> => {
  const { status, headers } = await withKnownOutcome(connection.call({ method: 'GET', path: '/', signal }));
  if (status === 200) return unifiOs;
  if (status >= 300 && status < 400 && pathOf(headers.location).startsWith('/manage')) return selfHosted;
  const reason = status >= 500 ? 'starting' : 'no-unifi';
  throw new ControllerError(name, { kind: 'unreadable', reason, status });
};

const pathOf = (location = ''): string =>
  URL.canParse(location, 'https://controller') ? new URL(location, 'https://controller').pathname : '';
