import type { Controller, ControllerDeps, ControllerSpec, ControllerVoucher } from '../controller.js';
import { ControllerError } from '../errors.js';
import { makeConnection } from '../https/connection.js';
import { trackInFlightCalls } from '../https/queue.js';
import type { KeptLimits } from '../keptLimits.js';
import { makeMikrotikCreate, makeMikrotikFind, maxVouchersPerCall } from './creation.js';
import { makeHotspotUsers } from './hotspotUsers.js';
import { makeProbe } from './probe.js';
import { makeRestApi } from './restApi.js';
import { endSessions } from './sessions.js';
import { parseMikrotikSettings } from './settings.js';
import { makeHotspotServers } from './servers.js';
import { makeStores } from './stores.js';
import { makeUserManager } from './userManager.js';

export type MikrotikOptions = Pick<ControllerSpec, 'name' | 'settings' | 'credentials'> &
  Pick<ControllerDeps, 'system' | 'log' | 'deadlineMs' | 'isOrderOpen'>;

/** RouterOS keeps times and rates in 32 bits. */
const keptLimits: KeptLimits = {
  time: { from: 1, to: 35_000_000, counts: 'first-use' },
  uses: { from: 1, to: 65_535, counts: 'sessions' },
  rates: { from: 1, to: 4_294_967 },
  volume: { from: 1, to: 2_147_483_647 },
  // Each takes calls of its own: as many as ten seconds are enough for, at 50 ms a call.
  maxPerOrder: 200,
};

/** RouterOS 7 by its REST API. A voucher is a user whose name and password are the code. */
export const makeMikrotik = (options: MikrotikOptions): Controller => {
  const { name, credentials, system, deadlineMs, isOrderOpen } = options;
  const settings = parseMikrotikSettings(options.settings);
  const connection = makeConnection(settings, options, { path: '/rest/system/resource' });
  const api = makeRestApi({ connection, credentials, name, system });
  const hotspot = makeHotspotUsers({ api, name, system });
  const userManager = makeUserManager({ api, name, system, deadlineMs, isOrderOpen });
  const stores = makeStores({ api, hotspot, userManager, system, usesUserManager: settings.usesUserManager });
  const servers = makeHotspotServers(api, name);
  const create = makeMikrotikCreate({
    stores,
    servers,
    keptLimits,
    name,
    system,
    maxOrders: settings.maxCalls,
  });
  const find = makeMikrotikFind(stores);
  const { track, onIdle } = trackInFlightCalls();

  const list = async function* (
    site: string | null,
    signal?: AbortSignal,
  ): AsyncGenerator<ControllerVoucher> {
    const known = await track(servers.resolve(site, signal));
    const { all } = await track(stores.get(signal));
    for (const store of all)
      for (const { label, voucher } of await track(store.all(signal)))
        if (voucher && label?.site === known) yield voucher;
  };

  /** Without a name, those who have none would be meant: guests who need no code. */
  const assertName = (code: string): void => {
    if (code === '') throw new ControllerError(name, { kind: 'unreadable', reason: 'no-code' });
  };
  const revoke: Controller['revoke'] = async (_site, code, signal) => {
    assertName(code);
    for (const store of (await stores.get(signal)).all) await store.remove(code, signal);
  };
  const disconnect: Controller['disconnect'] = async (_site, code, signal) => {
    assertName(code);
    await endSessions(api, code, signal);
  };

  return {
    ownCodes: { alphabet: 'digits', length: 10 },
    codeBlock: 0,
    keptLimits,
    maxPerCall: maxVouchersPerCall,
    create: (...order) => track(create(...order)),
    find: (order, _count, signal) => track(find(order, signal)),
    list,
    // Not called, as there is `find`.
    createdIn: (site, _ranges, signal) => list(site, signal),
    clock: connection.clock,
    connectionState: connection.state,
    revoke: (...voucher) => track(revoke(...voucher)),
    disconnect: (...voucher) => track(disconnect(...voucher)),
    probe: (onStep) => track(makeProbe({ api, stores, servers })(onStep)),
    close: async () => {
      await onIdle();
      await connection.close();
    },
  };
};
