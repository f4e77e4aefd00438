import { json, type Call, type Reply } from './route.js';
import type { Session } from './sessions.js';
import type { Settings } from './settings.js';

/** Where this firmware of UniFi OS tells the CSRF token, on every answer to somebody who has a session. */
export const csrfHeaders = ({ csrf, variant }: Settings, session: Session): Record<string, string> => {
  if (variant === 'self-hosted') return {};
  if (csrf === 'header') return { 'x-csrf-token': session.csrf };
  if (csrf === 'updated-header') return { 'x-updated-csrf-token': session.csrf };
  return {};
};

/** Whether a call that changes something carries the session's CSRF token, where one is asked for. */
export const csrfFits = ({ csrf, variant }: Settings, session: Session, { method, headers }: Call): boolean =>
  variant === 'self-hosted' ||
  csrf === 'none' ||
  method === 'GET' ||
  headers['x-csrf-token'] === session.csrf;

export const invalidCsrf = (): Reply => json(403, { error: { code: 403, message: 'Invalid CSRF Token' } });
