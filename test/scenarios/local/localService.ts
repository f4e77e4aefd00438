import { mkdtemp, rm } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulatedFile } from '../../../src/controllers/simulated/simulated.js';
import { openSqliteFile } from '../../../src/database/sqlite.js';
import { startServiceProcess } from '../../../scripts/lib/serviceProcess.js';
import type { ContractModel } from '../../../tools/contract/src/contract.js';
import type { ContractUnderTest } from '../../../tools/contract/src/contracts.js';
import { makeHttpClient, type HttpClient } from '../../../tools/contract/src/request.js';
import {
  asOwnPage,
  fromOwnPages,
  type CredentialSource,
} from '../../../tools/contract/src/target/credentialSource.js';
import {
  probeRequest,
  scopesOf,
  withKey,
  type Key,
  type Keys,
} from '../../../tools/contract/src/target/keys.js';
import { exampleSample, requestOf, type Substitutions } from '../../../tools/contract/src/target/sample.js';
import type {
  Fixture,
  MadeVoucher,
  RecordedVoucher,
  StoredNotification,
} from '../../../tools/contract/src/target/target.js';
import { makeLocalData, type LocalData } from './localData.js';
import type { SimulatedNetwork } from '../../../tools/contract/src/target/serviceTypes.js';
import { makeLocalKeys, type AddKey } from './localKeys.js';

/** A service that the run has started, in its own process and folder. */
export interface LocalService {
  readonly served: ContractUnderTest;
  /** With the base path of the contract. */
  readonly url: string;
  readonly fixture: Fixture;
  readonly keys: Keys;
  /** May a credential have ended since this was asked last? */
  mayHaveEnded(): Promise<boolean>;
  /** What examples have to say here. */
  readonly substitutions: Substitutions;
  /** Stops everything and removes all files. */
  close(): Promise<void>;
}

/** A running program, whose process may be this one. */
export interface LocalProgram {
  readonly url: string;
  stop(): Promise<unknown>;
}

type StartProgram = (settings: Readonly<Record<string, string>>, folder: string) => Promise<LocalProgram>;

/** The settings of the user's shell must not change what is tested. */
const localSettings = (folder: string, timeZone: string): Record<string, string> => ({
  TZ: timeZone,
  // As deployed: an undocumented answer is sent, so that it is seen here.
  NODE_ENV: 'production',
  DATA_DIR: folder,
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
  // No controller is waited for, and on a busy machine an order must get as far as its controller.
  CONTROLLER_DEADLINE_S: '60',
  // The vouchers of the run's data are on no controller: a sync would mark them all as expired.
  SYNC_INTERVAL_S: '0',
  // The reconciler must not settle an order whose answer was lost.
  RECONCILE_INTERVAL_S: '3600',
});

const startBuilt: StartProgram = (settings, folder) =>
  startServiceProcess(settings, join(folder, 'output.log'));

export interface LocalServiceOptions {
  readonly served: ContractUnderTest;
  readonly contract: ContractModel;
  /** All files are below it. */
  readonly within?: string;
  readonly startProgram?: StartProgram;
  /** That of the service. */
  readonly timeZone?: string;
}

/** A time zone where it is another day than in UTC: a date or a time in the wrong zone is seen at any hour. */
export const farTimeZone = (now: Date): string =>
  now.getUTCHours() >= 10 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago';

/** Starts the built program on its own sites, vouchers and keys. */
export const startLocalService = async ({
  served,
  contract,
  within = tmpdir(),
  startProgram = startBuilt,
  timeZone = farTimeZone(new Date()),
}: LocalServiceOptions): Promise<LocalService> => {
  const { credentials } = served;
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
    await network?.addTo(data.administration);
    const program = await startProgram(
      { ...localSettings(folder, timeZone), ...network?.settings, ...settings },
      folder,
    );
    endings.push(async () => void (await program.stop()));
    const add: AddKey = (options) => credentials.add(data, options);
    return { url: `${program.url}${served.basePath}`, data, folder, add };
  };

  let network: SimulatedNetwork | undefined;
  try {
    network = await served.startNetwork?.();
    endings.push(async () => network?.close());
    const { url, data, folder, add } = await start();
    const readVoucher = makeVoucherReader(folder, data.controllers);
    endings.push(readVoucher.close);
    const { addAlike, revoke } = credentials;
    const keys = await makeLocalKeys(scopesOf(contract), credentials, add, {
      addAlike: addAlike && ((options) => addAlike(data, options)),
      revoke: revoke && ((key) => revoke(data, key)),
    });
    const startOther: StartOther = async (settings) => {
      const other = await start(settings);
      const key = await keys.addTo(other.add);
      const client = fromOwnPages(credentials, makeHttpClient(other.url));
      endings.push(async () => client.close());
      return { ...other, client, key };
    };
    let lastState: unknown;
    const mayHaveEnded = async (): Promise<boolean> => {
      if (!credentials.state) return true;
      const before = lastState;
      lastState = await credentials.state(data);
      return lastState !== before;
    };
    let broken: ReturnType<Fixture['broken']> | undefined;
    let busy: Promise<Fixture['busy']> | undefined;
    return {
      served,
      url,
      keys,
      mayHaveEnded,
      substitutions: { site_id: data.sites.healthy[0], ...network?.substitutions },
      fixture: {
        sites: data.sites,
        siteNames: data.siteNames,
        url,
        timeZone,
        recordedVouchers: (siteId) =>
          data.database
            .read('vouchers')
            .where('site_id', siteId)
            .orderByRaw('created_at desc, id desc')
            .select<RecordedVoucher[]>(
              'code',
              'name',
              'max_uses',
              'expire_minutes',
              'status',
              'used_count',
              'created_at',
              'expires_at',
            ),
        lastNotification: () =>
          data.database
            .read('notifications')
            .where({ type: 'voucher.created' })
            .orderByRaw('rowid desc')
            .first<StoredNotification | undefined>('count', 'site', 'source'),
        madeVoucher: readVoucher.find,
        administration: () => data.administration,
        broken: () => (broken ??= startBroken(contract, credentials, startOther)),
        busy: async () => (await (busy ??= startBusy(contract, startOther, endings)))(),
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

/** Every operation reads one of the tables first, so without them each fails. */
const startBroken = async (
  contract: ContractModel,
  { neededTables, loadedFirst = false }: CredentialSource,
  startOther: StartOther,
): ReturnType<Fixture['broken']> => {
  const { data, client, key } = await startOther();
  const probe = loadedFirst ? probeRequest(contract, key) : undefined;
  if (probe) await client.send(probe);
  for (const table of neededTables) await data.database.write.schema.renameTable(table, `hidden_${table}`);
  return { client, key };
};

/** It accepts one request at a time, and that one does not end: its body never arrives. */
const startBusy = async (
  contract: ContractModel,
  startOther: StartOther,
  endings: (() => Promise<void>)[],
): Promise<Fixture['busy']> => {
  const { url, client, key } = await startOther({ MAX_REQUESTS_IN_FLIGHT: '1' });
  let endless: ClientRequest | undefined;
  endings.push(async () => void endless?.destroy());
  return async () => {
    // The service ends such a request after a while.
    while (!endless || endless.destroyed) endless = await sendEndless(contract, url, key);
    return { client, key };
  };
};

/** Resolves when the service waits for the body, or when it has refused: the one before may not have ended there. */
const sendEndless = async (contract: ContractModel, url: string, key: Key): Promise<ClientRequest> => {
  // The body of an unknown client takes no place.
  const operation = contract.operations.find(
    ({ requestBody, security }) => requestBody && security.length > 0,
  );
  if (!operation) throw new Error('no operation has a body that a service could wait for');
  const { method, requestTarget, headers } = asOwnPage(
    withKey(contract, requestOf(operation, exampleSample(operation, {})), key),
  );
  const waiting = { ...Object.fromEntries(headers), Expect: '100-continue' };
  const endless = request(`${url}${requestTarget}`, { method, headers: waiting, agent: false });
  endless.on('error', () => undefined).on('response', () => endless.destroy());
  endless.flushHeaders();
  await new Promise<void>((resolve) => {
    endless.once('continue', resolve).once('close', resolve);
  });
  return endless;
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
          .catch((error: unknown) => {
            // A controller that was never called has no table yet.
            if (error instanceof Error && error.message.includes('no such table')) return undefined;
            throw error;
          });
        if (found) return found;
      }
      return undefined;
    },
    close: async () => {
      for (const file of files) await file.destroy();
    },
  };
};
