import { fieldsOf, textOf } from '../connection/reading.js';
import { certainly } from '../connection/waiting.js';
import { ControllerError, type Controller } from '../controller.js';
import type { Trouble } from '../failure.js';
import type { Api } from './api.js';
import type { Sessions } from './sessions.js';
import type { Sites } from './sites.js';
import { settle } from './verdict.js';

export interface ProbingOptions {
  readonly api: Api;
  readonly sessions: Sessions;
  readonly sites: Sites;
  readonly name: string;
}

/** A version that may not be read is no reason to call a controller unusable. */
const negligible: readonly Trouble[] = [
  'permission',
  'site',
  'refused',
  'unreadable',
  'timeout',
  'disconnected',
];

export const makeProbe = ({ api, sessions, sites, name }: ProbingOptions): Controller['probe'] => {
  /** Asks for whoever is signed in, so that a session that is over is noticed here. */
  const signIn = async (): Promise<void> => {
    const verdict = await api.ask({ method: 'GET', path: '/api/self' });
    if (verdict.kind !== 'refused' && verdict.kind !== 'moved') settle(verdict, name);
  };

  /** The status is there for every account; the other one is not, but on every firmware. */
  const askVersion = async (): Promise<unknown> => {
    const status = await api.ask({ method: 'GET', path: '/status' });
    const version = status.kind === 'ok' ? status.meta?.['server_version'] : undefined;
    if (version !== undefined) return version;
    const info = await sites.use(null, (site) =>
      api.ask({ method: 'GET', path: `/api/s/${site}/stat/sysinfo` }),
    );
    return fieldsOf(settle(info, name)[0])['version'];
  };

  const versionOf = async (): Promise<string> => {
    try {
      return textOf(await certainly(askVersion())) ?? 'unknown';
    } catch (error) {
      if (error instanceof ControllerError && negligible.includes(error.trouble)) return 'unknown';
      throw error;
    }
  };

  return async (told) => {
    await sessions.variant();
    told?.('connected');
    await certainly(signIn());
    told?.('signed-in');
    const version = await versionOf();
    told?.('version');
    const all = await sites.all();
    told?.('sites');
    return { version, sites: all };
  };
};
