import type { Controller, ControllerDeps, ControllerSpec } from '../controller.js';
import { ControllerError, SettingsError, withKnownOutcome } from '../errors.js';
import type { Trouble } from '../failure.js';
import { makeConnection } from '../https/connection.js';
import { trackInFlightCalls } from '../https/queue.js';
import { parseConnectionSettings } from '../https/settings.js';
import { asFields, asText } from '../parsing.js';
import { makeClassicApi, type ClassicApi } from './classicApi.js';
import { makeClassicCreate } from './creation.js';
import { makeClassicCreatedIn, makeClassicList } from './listing.js';
import { makeClassicSessionManager, type Account, type ClassicSessionManager } from './sessionManager.js';
import { makeClassicSites, type ClassicSites } from './sites.js';
import { unwrapAnswer } from './answer.js';

export type UnifiClassicOptions = Pick<ControllerSpec, 'id' | 'name' | 'settings' | 'credentials'> &
  Pick<ControllerDeps, 'system' | 'log' | 'deadlineMs' | 'unrecorded'>;

/** UniFi Network by the interface of its own pages, with user and password: self-hosted, or on UniFi OS. */
export const makeUnifiClassic = (options: UnifiClassicOptions): Controller => {
  const { id, name, system, log, deadlineMs } = options;
  const account = accountOf(options.credentials);
  const settings = parseConnectionSettings(options.settings);
  const connection = makeConnection(settings, { name, system, log, deadlineMs }, { path: '/' });
  const sessions = makeClassicSessionManager({ connection, account, name, system, log });
  const api = makeClassicApi({ connection, sessions, name, system, deadlineMs });
  const sites = makeClassicSites(api, name);
  const create = makeClassicCreate({
    api,
    sites,
    name,
    system,
    unrecorded: (vouchers, anyName) => options.unrecorded(id, vouchers, anyName),
    maxOrders: settings.maxCalls,
  });
  const listing = { connection, api, sites, name, system };
  const list = makeClassicList(listing);
  const revoke = makeRevoke({ api, sites, name });
  const probe = makeProbe({ api, sessions, sites, name });
  const { track, onIdle } = trackInFlightCalls();

  return {
    create: (...order) => track(create(...order)),
    list,
    createdIn: makeClassicCreatedIn(listing, list),
    clock: connection.clock,
    revoke: (...voucher) => track(revoke(...voucher)),
    probe: (told) => track(probe(told)),
    close: async () => {
      // Who signs out while others are still at work ends their session, too.
      await onIdle();
      await sessions.end();
      await connection.close();
    },
  };
};

const accountOf = ({ username, password }: ControllerSpec['credentials']): Account => {
  if (!username) throw new SettingsError('username: is missing');
  if (!password) throw new SettingsError('password: is missing');
  return { username, password };
};

interface ProbeOptions {
  readonly api: ClassicApi;
  readonly sessions: ClassicSessionManager;
  readonly sites: ClassicSites;
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

const makeProbe = ({ api, sessions, sites, name }: ProbeOptions): Controller['probe'] => {
  /** Asks for whoever is signed in, so that a session that is over is noticed here. */
  const signIn = async (): Promise<void> => {
    const verdict = await api.ask({ method: 'GET', path: '/api/self' });
    if (verdict.kind !== 'refused' && verdict.kind !== 'moved') unwrapAnswer(verdict, name);
  };

  /** The status is there for every account; the other one is not, but on every firmware. */
  const askVersion = async (): Promise<unknown> => {
    const status = await api.ask({ method: 'GET', path: '/status' });
    const version = status.kind === 'ok' ? status.meta?.['server_version'] : undefined;
    if (version !== undefined) return version;
    const info = await sites.use(null, (site) =>
      api.ask({ method: 'GET', path: `/api/s/${site}/stat/sysinfo` }),
    );
    return asFields(unwrapAnswer(info, name)[0])['version'];
  };

  const versionOf = async (): Promise<string> => {
    try {
      return asText(await withKnownOutcome(askVersion())) ?? 'unknown';
    } catch (error) {
      if (error instanceof ControllerError && negligible.includes(error.trouble)) return 'unknown';
      throw error;
    }
  };

  return async (told) => {
    await sessions.variant();
    told?.('connected');
    await withKnownOutcome(signIn());
    told?.('signed-in');
    const version = await versionOf();
    told?.('version');
    const all = await sites.all();
    told?.('sites');
    return { version, sites: all };
  };
};

interface RevokeOptions {
  readonly api: ClassicApi;
  readonly sites: ClassicSites;
  readonly name: string;
}

/** Most controllers say ok to a voucher that is gone; some say one of these. */
const alreadyGoneCodes: readonly string[] = ['api.err.NotFound', 'api.err.IdInvalid'];

const makeRevoke =
  ({ api, sites, name }: RevokeOptions): Controller['revoke'] =>
  async (controllerSite, id, signal) => {
    const json = { cmd: 'delete-voucher', _id: id };
    const verdict = await sites.use(
      controllerSite,
      (site) => api.ask({ method: 'POST', path: `/api/s/${site}/cmd/hotspot`, json, signal }),
      signal,
    );
    if (verdict.kind !== 'refused' || !alreadyGoneCodes.includes(verdict.code ?? ''))
      unwrapAnswer(verdict, name);
  };
