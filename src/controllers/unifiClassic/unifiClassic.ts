import type { Controller, ControllerDeps, ControllerSpec } from '../controller.js';
import { ControllerError, SettingsError, withKnownOutcome } from '../errors.js';
import type { FailureKind } from '../failure.js';
import { makeConnection } from '../https/connection.js';
import { trackInFlightCalls } from '../https/queue.js';
import { parseConnectionSettings } from '../https/settings.js';
import { asFields, asText } from '../parsing.js';
import { unwrapAnswer } from './answer.js';
import { makeClassicApi, type ClassicApi } from './classicApi.js';
import { makeClassicCreate } from './creation.js';
import { makeClassicCreatedIn, makeClassicList } from './listing.js';
import { makeClassicSessionManager, type Account, type ClassicSessionManager } from './sessionManager.js';
import { makeClassicSites, type ClassicSites } from './sites.js';

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
    connectionState: connection.state,
    revoke: (...voucher) => track(revoke(...voucher)),
    probe: (onStep) => track(probe(onStep)),
    close: async () => {
      // Signing out ends the session of calls in flight, too.
      await onIdle();
      await sessions.end();
      await connection.close();
    },
  };
};

const accountOf = ({ username, password }: ControllerSpec['credentials']): Account => {
  if (!username) throw new SettingsError('username', 'is missing');
  if (!password) throw new SettingsError('password', 'is missing');
  return { username, password };
};

interface ProbeOptions {
  readonly api: ClassicApi;
  readonly sessions: ClassicSessionManager;
  readonly sites: ClassicSites;
  readonly name: string;
}

/** A controller whose version can't be read is still usable. */
const negligible: readonly FailureKind[] = [
  'permission',
  'site',
  'refused',
  'unreadable',
  'timeout',
  'disconnected',
];

const makeProbe = ({ api, sessions, sites, name }: ProbeOptions): Controller['probe'] => {
  /** Asks for the current user, so that an expired session is noticed here. */
  const signIn = async (): Promise<void> => {
    const answer = await api.ask({ method: 'GET', path: '/api/self' });
    if (answer.kind !== 'refused' && answer.kind !== 'moved') unwrapAnswer(answer, name);
  };

  /** Every account may read the status; every firmware has the other path. */
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
      if (error instanceof ControllerError && negligible.includes(error.code)) return 'unknown';
      throw error;
    }
  };

  return async (onStep) => {
    await sessions.variant();
    onStep?.('connected');
    await withKnownOutcome(signIn());
    onStep?.('signed-in');
    const version = await versionOf();
    onStep?.('version', version);
    const all = await sites.all();
    onStep?.('sites');
    return { version, sites: all };
  };
};

interface RevokeOptions {
  readonly api: ClassicApi;
  readonly sites: ClassicSites;
  readonly name: string;
}

/** Most controllers answer ok for a voucher that is already gone; some answer one of these. */
const alreadyGoneCodes: readonly string[] = ['api.err.NotFound', 'api.err.IdInvalid'];

const makeRevoke =
  ({ api, sites, name }: RevokeOptions): Controller['revoke'] =>
  async (controllerSite, id, signal) => {
    const json = { cmd: 'delete-voucher', _id: id };
    const answer = await sites.use(
      controllerSite,
      (site) => api.ask({ method: 'POST', path: `/api/s/${site}/cmd/hotspot`, json, signal }),
      signal,
    );
    if (answer.kind !== 'refused' || !alreadyGoneCodes.includes(answer.code ?? ''))
      unwrapAnswer(answer, name);
  };
