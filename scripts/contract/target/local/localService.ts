import { mkdtemp, rm } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulatedFile } from '../../../../src/controllers/simulated/simulated.js';
import { openSqliteFile } from '../../../../src/lib/sqlite.js';
import { startServiceProcess } from '../../../lib/serviceProcess.js';
import { makeHttpClient, type HttpClient } from '../../request.js';
import { scopePermits, type Key, type Keys } from '../keys.js';
import type { Fixture, MadeVoucher } from '../target.js';
import { makeLocalData, type LocalData } from './localData.js';

/** A service that the run has started, in its own process and folder. */
export interface LocalService {
  readonly url: string;
  readonly fixture: Fixture;
  readonly keys: Keys;
  /** Stops everything and removes all files. */
  close(): Promise<void>;
}

/** High enough never to be reached, but with it rate limit headers are sent. */
const generous = 1_000_000;
/** Low enough to be used up at once. */
const few = 3;

/** A running program, whose process may be this one. */
export interface LocalProgram {
  readonly url: string;
  stop(): Promise<unknown>;
}

type StartProgram = (settings: Readonly<Record<string, string>>, folder: string) => Promise<LocalProgram>;

/** The settings of the user's shell must not change what is tested. */
const localSettings = (folder: string): Record<string, string> => ({
  ...(process.env['TZ'] !== undefined && { TZ: process.env['TZ'] }),
  // As deployed: an undocumented answer is sent, so that it is seen here.
  NODE_ENV: 'production',
  DATA_DIR: folder,
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
  // A lost answer is not waited for longer, but on a busy machine an order must get as far as its controller. The
  // reconciler must not settle it meanwhile.
  CONTROLLER_DEADLINE_S: '3',
  RECONCILE_INTERVAL_S: '3600',
});

const startBuilt: StartProgram = (settings, folder) =>
  startServiceProcess(settings, join(folder, 'output.log'));

/** Starts the built program on its own sites, vouchers and keys. All files are below `within`. */
export const startLocalService = async (
  within = tmpdir(),
  startProgram: StartProgram = startBuilt,
): Promise<LocalService> => {
  const endings: (() => Promise<void>)[] = [];
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closed ??= (async () => {
      const failures: unknown[] = [];
      // A failure must not keep the others from ending.
      for (const end of endings.reverse()) await end().catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw new AggregateError(failures, 'the service did not end properly');
    })());

  /** Starts a program on its own data. */
  const start = async (settings: Readonly<Record<string, string>> = {}) => {
    const folder = await mkdtemp(join(within, 'voucherd-contract-'));
    endings.push(() => rm(folder, { recursive: true, force: true }));
    const data = await makeLocalData(folder);
    endings.push(data.close);
    const program = await startProgram({ ...localSettings(folder), ...settings }, folder);
    endings.push(async () => void (await program.stop()));
    return { url: program.url, data, folder };
  };

  try {
    const { url, data, folder } = await start();
    const readVoucher = makeVoucherReader(folder, data.controllers);
    endings.push(readVoucher.close);
    const made: Key[] = [];
    const startOther: StartOther = async (settings) => {
      const other = await start(settings);
      const key = await other.data.addKey({ scope: 'write', limit: generous });
      made.push(key);
      const client = makeHttpClient(other.url);
      endings.push(async () => client.close());
      return { ...other, client, key };
    };
    let broken: ReturnType<Fixture['broken']> | undefined;
    let busy: Promise<Fixture['busy']> | undefined;
    return {
      url,
      keys: await makeLocalKeys(data, made),
      fixture: {
        sites: data.sites,
        siteNames: data.siteNames,
        recordedCodes: (siteId) =>
          data.database
            .read('vouchers')
            .where('site_id', siteId)
            .orderByRaw('created_at desc, id desc')
            .pluck<string[]>('code'),
        madeVoucher: readVoucher.find,
        broken: () => (broken ??= startBroken(startOther)),
        busy: async () => (await (busy ??= startBusy(startOther, endings)))(),
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Starts another service, and gives it a key. */
type StartOther = (
  settings?: Readonly<Record<string, string>>,
) => Promise<{ url: string; data: LocalData; client: HttpClient; key: Key }>;

/** Every operation reads a revision first, so without that table each of them fails. */
const startBroken = async (startOther: StartOther): ReturnType<Fixture['broken']> => {
  const { data, client, key } = await startOther();
  // Makes the service load the key: it could not look it up later.
  await client.send({
    method: 'GET',
    requestTarget: '/sites.php',
    headers: [['Authorization', `Bearer ${key.text()}`]],
  });
  await data.database.write.schema.renameTable('revisions', 'hidden');
  return { client, key };
};

/** It accepts one request at a time, and that one does not end: its body never arrives. */
const startBusy = async (
  startOther: StartOther,
  endings: (() => Promise<void>)[],
): Promise<Fixture['busy']> => {
  const { url, client, key } = await startOther({ MAX_REQUESTS_IN_FLIGHT: '1' });
  let endless: ClientRequest | undefined;
  endings.push(async () => void endless?.destroy());
  return async () => {
    // The service ends such a request after a while.
    while (!endless || endless.destroyed) endless = await sendEndless(url, key);
    return { client, key };
  };
};

/** Resolves when the service waits for the body, or when it has refused: the one before may not have ended there. */
const sendEndless = async (url: string, key: Key): Promise<ClientRequest> => {
  const headers = { Authorization: `Bearer ${key.text()}`, Expect: '100-continue', 'Content-Length': '2' };
  const endless = request(`${url}/vouchers.php`, { method: 'POST', headers, agent: false });
  endless.on('error', () => undefined).on('response', () => endless.destroy());
  endless.flushHeaders();
  await new Promise<void>((resolve) => {
    endless.once('continue', resolve).once('close', resolve);
  });
  return endless;
};

const makeLocalKeys = async (data: LocalData, made: Key[]): Promise<Keys> => {
  const add = async (options: Parameters<LocalData['addKey']>[0]): Promise<Key> => {
    const key = await data.addKey(options);
    made.push(key);
    return key;
  };
  const read = await add({ scope: 'read', limit: generous });
  const write = await add({ scope: 'write', limit: generous });
  const unlimited = await add({ scope: 'write', limit: 0 });
  const revoked = await add({ scope: 'write', limit: 0, revoked: true });
  const expired = await add({ scope: 'write', limit: 0, expired: true });
  return {
    permitting: (scope) =>
      [read, write].find((key) => scopePermits(key.scope, scope)) ?? {
        excuse: `needs a key with the scope ${scope ?? ''}, which the run does not have`,
      },
    lacking: (scope) =>
      scopePermits('read', scope)
        ? { excuse: `every key may do what needs the scope ${scope ?? 'none'}` }
        : read,
    unlimited: () => unlimited,
    limited: () => {
      // Of the lower scope, so that a scope that is checked before the limit is seen.
      const any = (): Promise<Key> => add({ scope: 'read', limit: few });
      return { any, open: async () => ({ key: await any(), left: few }), most: few, same: false };
    },
    revoked: () => revoked,
    expired: () => expired,
    all: () => made,
  };
};

/** Reads the files of the simulated controllers. */
const makeVoucherReader = (
  folder: string,
  controllers: readonly number[],
): { find(code: string): Promise<MadeVoucher | undefined>; close(): Promise<void> } => {
  const files = controllers.map((id) => openSqliteFile(simulatedFile(folder, id), 1, ''));
  return {
    find: async (code) => {
      for (const file of files) {
        const found = await file<MadeVoucher & { code: string }>('vouchers')
          .where({ code })
          .first()
          // A controller that was never called has no table yet.
          .catch(() => undefined);
        if (found) return found;
      }
      return undefined;
    },
    close: async () => {
      for (const file of files) await file.destroy();
    },
  };
};
