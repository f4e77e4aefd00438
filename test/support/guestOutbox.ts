import { pino } from 'pino';
import { makeTables, type Tables } from '../../src/app/tables.js';
import type { Database } from '../../src/database/database.js';
import { makeFindSlip } from '../../src/guestMessages/guestMessages.js';
import type { GuestMessage, GuestMessageKind } from '../../src/guestMessages/guestMessageTable.js';
import { nodeSystem } from '../../src/lib/system.js';
import { makeOutboxWorker, type OutboxTask, type OutboxWorker } from '../../src/outbox/outboxWorker.js';
import { makePrepareLogo } from '../../src/printing/printedLogo.js';
import { makeMakeSlips } from '../../src/printing/printing.js';
import { makeSqliteDatabase, openPatiently } from './databases.js';
import { addSite, someRecord, someTime } from './records.js';

/** A voucher in a database of its own, and what a worker needs that sends its code to a guest. */
export interface GuestOutbox<K extends GuestMessageKind> {
  readonly database: Database;
  readonly tables: Tables;
  readonly findSlip: ReturnType<typeof makeFindSlip>;
  readonly clock: { now: number };
  /** What the worker reported to the metrics, and logged. */
  readonly outcomes: string[];
  readonly lines: string[];
  makeWorker(
    task: OutboxTask<K>,
    owner: string,
  ): Pick<OutboxWorker, 'stop'> & { runPass(): Promise<unknown> };
  add(id: string): Promise<void>;
  find(id: string): Promise<GuestMessage<K> | undefined>;
  drop(): Promise<void>;
}

export const makeGuestOutbox = async <K extends GuestMessageKind>(
  kind: K,
  to: string,
): Promise<GuestOutbox<K>> => {
  const own = await makeSqliteDatabase();
  const database = openPatiently(own.url);
  const clock = { now: someTime };
  const now = (): number => clock.now;
  const tables = makeTables(database, { now });
  await tables.vouchers.record(someRecord(await addSite(tables)));
  const makeSlips = makeMakeSlips({
    siteLogos: tables.siteLogos,
    openNetworks: () => Promise.resolve(new Map()),
    ownTexts: tables.ownTexts,
    prepareLogo: makePrepareLogo(),
    readBrand: () => Promise.resolve({ logo: null }),
  });
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const asked = { actorKind: 'user', actorName: 'Anna', address: null, detail: {} } as const;
  return {
    ...{ database, tables, clock, lines, outcomes: [] },
    findSlip: makeFindSlip({ tables, makeSlips, clock: { now } }),
    makeWorker: (task, owner) => {
      const worker = makeOutboxWorker(task, { tables, system: { ...nodeSystem, now }, log, owner });
      return { stop: worker.stop, runPass: () => worker.runPass().then(worker.idle) };
    },
    add: async (id) => {
      const message = { id, voucherId: 1, userId: 1, to, language: 'de' };
      const audit = { ...asked, at: now(), action: `voucher.${kind}` } as const;
      await tables.guestMessages.add(kind, message, { perVoucher: 50, perDay: 100 }, audit);
    },
    find: async (id) => (await tables.guestMessages.ofVoucher(kind, 1, 50)).find((one) => one.id === id),
    drop: async () => {
      await database.close();
      await own.drop();
    },
  };
};
