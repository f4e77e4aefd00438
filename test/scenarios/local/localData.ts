import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, nodeSystem } from '../../../src/lib/system.js';
import { openDatabase, type Database } from '../../../src/database/database.js';
import { migrate } from '../../../src/database/migrator.js';
import { makeTables, type Tables } from '../../../src/app/tables.js';
import type { RecordedState } from '../../../src/vouchers/state.js';
import type { Fixture, FixtureSites } from '../../../tools/contract/src/target/target.js';
import { makeAdministration, type Administration } from './administration.js';

/** The data of a local service: created before it starts, and accessible while it runs. */
export interface LocalData {
  readonly database: Database;
  readonly tables: Tables;
  readonly administration: Administration;
  readonly sites: FixtureSites;
  readonly siteNames: Fixture['siteNames'];
  /** Those of all sites. */
  readonly controllers: readonly number[];
  close(): Promise<void>;
}

declare module '../../../tools/contract/src/target/serviceTypes.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- what it is here
  interface ServiceData extends LocalData {}
}

/** The active sites as a German dictionary sorts them, with numbers by their value: umlauts, capitals and digits matter. */
export const sitesInOrder = [
  ...['anbau', 'Ärztehaus', 'Funkloch', 'Hauptgebäude', 'Haus 9', 'Haus 10', 'Nebengebäude', 'Öltank'],
  ...['Scheune', 'Straße 2', 'Strasse 3', 'Zelt'],
];

/** What a service begins with. */
interface PreparedData extends Pick<LocalData, 'sites' | 'siteNames' | 'controllers'> {
  /** The file of the database. */
  readonly file: Buffer;
}

const fileName = 'voucherd.sqlite';

const openFile = (folder: string): Database => openDatabase(`sqlite:${join(folder, fileName)}`);

let prepared: Promise<PreparedData> | undefined;

/** A new folder with sites, one per controller behaviour, and with vouchers of every status. */
export const makeLocalData = async (folder: string): Promise<LocalData> => {
  // Migrations and vouchers cost seconds, and every service of a run begins with the same.
  const { file, ...data } = await (prepared ??= prepareData());
  await writeFile(join(folder, fileName), file);
  const database = openFile(folder);
  const tables = makeTables(database);
  return {
    ...data,
    database,
    tables,
    administration: makeAdministration(database, tables, folder),
    close: () => database.close(),
  };
};

const prepareData = async (): Promise<PreparedData> => {
  const folder = await mkdtemp(join(tmpdir(), 'voucherd-contract-data-'));
  try {
    const database = openFile(folder);
    let data: Awaited<ReturnType<typeof fillDatabase>>;
    try {
      data = await fillDatabase(database);
    } finally {
      await database.close();
    }
    return { ...data, file: await readFile(join(folder, fileName)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const fillDatabase = async (
  database: Database,
): Promise<Pick<LocalData, 'sites' | 'siteNames' | 'controllers'>> => {
  await migrate(database);
  const tables = makeTables(database);
  const now = nodeSystem.now();
  const controllers: number[] = [];
  const siteNames = new Map<number, string>();
  const addSite = async (name: string, fault = 'none', active = true): Promise<number> => {
    const controllerId = await tables.controllers.add(
      { name, kind: 'simulated', settings: { latencyMs: 0, fault } },
      now,
    );
    controllers.push(controllerId);
    const id = await tables.sites.add({ name, active, controllerId, controllerSite: null }, now);
    if (active) siteNames.set(id, name);
    return id;
  };
  // The healthy ones come first: the contract's examples use the sites 1 and 2.
  const sites = {
    healthy: [await addSite('Hauptgebäude'), await addSite('Nebengebäude')] as const,
    refusing: await addSite('Zelt', 'refuse'),
    withoutVoucher: await addSite('Scheune', 'no-voucher'),
    withoutCode: await addSite('Öltank', 'no-code'),
    withoutId: await addSite('Haus 9', 'no-id'),
    lost: await addSite('Funkloch', 'disconnect'),
    inactive: await addSite('Geschlossen', 'none', false),
  };
  for (const name of sitesInOrder) if (![...siteNames.values()].includes(name)) await addSite(name);
  const [first, second] = sites.healthy;
  await addVouchers(tables, { siteId: first, controllerId: controllers[0] ?? 0, count: manyVouchers });
  await addVouchers(tables, {
    siteId: second,
    controllerId: controllers[1] ?? 0,
    count: 4,
    firstCode: 5_000,
  });
  return { sites, siteNames, controllers };
};

/** More than a list may hold, so that one that is not cut is seen. */
const manyVouchers = 201;

interface NewVouchers {
  readonly siteId: number;
  readonly controllerId: number;
  readonly count: number;
  readonly firstCode?: number;
}

/**
 * A list covers everything in the contract only if it has vouchers of every status, of different times. Two of them are
 * of each time, and some have expired that no sync has looked at since.
 */
const addVouchers = async (
  tables: Tables,
  { siteId, controllerId, count, firstCode = 0 }: NewVouchers,
): Promise<void> => {
  const [minute, hour] = [60_000, 3_600_000];
  const newest = nodeSystem.now() - 24 * hour;
  const kinds: [RecordedState, number, number | null][] = [
    ['valid', 0, null],
    ['used', 1, newest + 48 * hour],
    ['expired', 0, newest + hour],
    ['valid', 0, newest + hour],
    ['used', 3, newest + hour],
    ['used', 3, null],
    ['valid', 2, newest + 48 * hour],
  ];
  const record = (index: number): Promise<unknown> => {
    const [status, usedCount, expiresAt] = kinds[index] ?? ['valid', 0, null];
    const createdAt = newest - Math.floor(index / 2) * minute;
    return tables.vouchers.record({
      intentId: newId(nodeSystem),
      siteId,
      controllerId,
      source: 'Contract',
      actorKind: 'user',
      actorName: 'Contract',
      profileId: null,
      ...{ down: 0, up: 0, quotaMb: 0 },
      vouchers: [
        {
          controllerVoucherId: newId(nodeSystem),
          code: String(firstCode + index).padStart(10, '0'),
          name: '2026-11-14_Familie Berger',
          maxUses: status === 'used' ? usedCount : usedCount + 1,
          expireMinutes: 480 + index,
          status,
          usedCount,
          createdAt,
          expiresAt,
        },
      ],
      notification: {
        type: 'voucher.created',
        id: newId(nodeSystem),
        count: 1,
        site: 'Hauptgebäude',
        source: 'API: Contract',
        createdAt,
      },
    });
  };
  // Every second one first, so that they are not stored in the order of the list.
  const indexes = Array.from({ length: count }, (_, index) => index);
  for (const rest of [0, 1]) await Promise.all(indexes.filter((index) => index % 2 === rest).map(record));
};
