import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { makeTables, type Tables } from '../../src/app/tables.js';
import { readConfig } from '../../src/config/config.js';
import type { Database } from '../../src/database/database.js';
import { newId, nodeSystem } from '../../src/lib/system.js';
import { makeRetention, type Retention, type RetentionObserver } from '../../src/retention/retention.js';
import type { PlacedOrder } from '../../src/vouchers/orderTable.js';
import type { StoredVoucher, Voucher, VoucherTable } from '../../src/vouchers/voucherTable.js';
import { holdDatabaseClock, type TestDatabaseClock } from '../support/databaseClock.js';
import { openPatiently, type MakeDatabase } from '../support/databases.js';
import { addSite, someIntent, someRecord, someTime, someVoucher } from '../support/records.js';

export const dayMs = 86_400_000;

/** Noon, so that less than half a day does not change the date. */
export const noon = Math.floor(someTime / dayMs) * dayMs + dayMs / 2;

/** A database with one site, whose clock a test moves. */
export interface RetentionFixture {
  readonly database: Database;
  readonly tables: Tables;
  readonly clock: TestDatabaseClock;
  readonly place: { readonly siteId: number; readonly controllerId: number };
  /** The retention of a process of its own, with settings as in the environment. */
  retention(env?: Record<string, string>, options?: RetentionOptions): Retention;
  /** Records a voucher that was created a year ago, and returns its row. */
  voucher(values?: Partial<Voucher>, options?: RecordOptions): Promise<StoredVoucher>;
  /** Records an order of the web UI with vouchers. */
  order(count: number, values?: Partial<Voucher>): Promise<PlacedOrder>;
  /** Puts an e-mail with a voucher into the outbox, and returns its id. */
  email(voucher: Pick<StoredVoucher, 'id'>, at: number): Promise<string>;
  /** How many rows a table has. */
  rows(table: string): Promise<number>;
  remove(): Promise<void>;
}

interface RetentionOptions {
  readonly tables?: Tables;
  readonly observer?: RetentionObserver;
  readonly pause?: () => Promise<void>;
}

interface RecordOptions {
  readonly place?: { readonly siteId: number; readonly controllerId: number };
  readonly revokedAt?: number;
}

const log = pino({ level: 'silent' });

export const makeRetentionFixture = async (make: MakeDatabase): Promise<RetentionFixture> => {
  const own = await make();
  const clock = await holdDatabaseClock(own.url, noon);
  const database = openPatiently(own.url);
  const tables = makeTables(database, clock);
  const place = await addSite(tables);
  const system = { ...nodeSystem, now: clock.now };

  const record = async (...[values]: Parameters<VoucherTable['record']>): Promise<void> => {
    if (!(await tables.vouchers.record(values))) throw new Error('not recorded');
  };

  return {
    database,
    tables,
    clock,
    place,
    retention: (env = {}, { tables: given = tables, observer, pause = () => Promise.resolve() } = {}) =>
      makeRetention({
        config: readConfig(env),
        ...{ tables: given, system, log, pause, owner: newId(nodeSystem) },
        ...(observer && { observer }),
      }),
    voucher: async (values = {}, { place: at = place, revokedAt } = {}) => {
      const voucher = someVoucher({ createdAt: noon - 365 * dayMs, ...values });
      const intentId = newId(nodeSystem);
      await record(someRecord(at, { voucher, intentId }));
      if (revokedAt !== undefined)
        await database
          .write('vouchers')
          .where('intent_id', intentId)
          .update({ revoked_at: revokedAt, status: 'expired' });
      const [stored] = await tables.vouchers.ofIntent(intentId);
      if (!stored) throw new Error('not recorded');
      return stored;
    },
    order: async (count, values = {}) => {
      const createdAt = noon - 60 * dayMs;
      const order: PlacedOrder = {
        ...{ id: randomUUID(), userId: 1, kioskId: null, siteId: place.siteId, fingerprint: 'a' },
        ...{ name: 'Tagung', count, made: 0, state: 'open', reason: null, createdAt },
      };
      const intent = someIntent(place.siteId, { id: order.id, count, createdAt, origin: 'desk' });
      await tables.intents.begin({ intent, order: { ...order, allowance: null } });
      const vouchers = Array.from({ length: count }, () => ({
        ...someVoucher({ createdAt, ...values }),
        controllerVoucherId: newId(nodeSystem),
      }));
      await record(someRecord(place, { intentId: order.id, vouchers, order: { reason: null } }));
      return order;
    },
    email: async ({ id: voucherId }, at) => {
      const id = randomUUID();
      const email = { id, voucherId, userId: 1, to: 'a@example.org', language: 'de' };
      await tables.guestMessages.add(
        'email',
        email,
        { perVoucher: 50 },
        {
          ...{ at, actorKind: 'user', actorName: 'Anna', address: null, action: 'voucher.email', detail: {} },
        },
      );
      return id;
    },
    rows: async (table) => {
      const row = await database
        .read(table)
        .first<{ count: number } | undefined>(database.read.raw('count(*) as count'));
      return row?.count ?? 0;
    },
    remove: async () => {
      await database.close();
      await own.drop();
    },
  };
};
