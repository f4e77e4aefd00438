import { makeConnection } from '../connection/https.js';
import { parseConnectionSettings } from '../connection/settings.js';
import { makeUnderWay } from '../connection/underWay.js';
import { SettingsError, type Controller } from '../controller.js';
import type { ControllerSpec, ControllerSurroundings } from '../registry.js';
import { makeApi } from './api.js';
import { makeCreate } from './creating.js';
import { makeCreatedIn, makeList } from './listing.js';
import type { Account } from './login.js';
import { makeProbe } from './probing.js';
import { makeRevoke } from './revoking.js';
import { makeSessions } from './sessions.js';
import { makeSites } from './sites.js';

/** What `controller add` asks for. */
export const unifiClassicCredentials = {
  username: 'name of a local account on the controller, without a second factor',
  password: 'password of that account',
};

export type UnifiClassicOptions = Pick<ControllerSpec, 'id' | 'name' | 'settings' | 'credentials'> &
  Pick<ControllerSurroundings, 'effects' | 'log' | 'deadlineMs' | 'unrecorded'>;

/** UniFi Network by the interface of its own pages, with user and password: self-hosted, or on UniFi OS. */
export const makeUnifiClassic = (options: UnifiClassicOptions): Controller => {
  const { id, name, effects, log, deadlineMs } = options;
  const account = accountOf(options.credentials);
  const settings = parseConnectionSettings(options.settings);
  const connection = makeConnection(settings, { name, effects, log, deadlineMs }, { path: '/' });
  const sessions = makeSessions({ connection, account, name, effects, log });
  const api = makeApi({ connection, sessions, name, effects, deadlineMs });
  const sites = makeSites(api, name);
  const create = makeCreate({
    api,
    sites,
    name,
    effects,
    unrecorded: (vouchers, anyName) => options.unrecorded(id, vouchers, anyName),
    maxOrders: settings.maxCalls,
  });
  const listing = { connection, api, sites, name, effects };
  const list = makeList(listing);
  const revoke = makeRevoke({ api, sites, name });
  const probe = makeProbe({ api, sessions, sites, name });
  const { track, over } = makeUnderWay();

  return {
    create: (...order) => track(create(...order)),
    list,
    createdIn: makeCreatedIn(listing, list),
    clock: connection.clock,
    revoke: (...voucher) => track(revoke(...voucher)),
    probe: (told) => track(probe(told)),
    close: async () => {
      // Who signs out while others are still at work ends their session, too.
      await over();
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
