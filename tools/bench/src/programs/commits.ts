import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { batchCalls } from '../../../../src/database/batch.js';
import { openDatabase } from '../../../../src/database/database.js';
import { percentile } from '../results.js';
import { answerParent } from './parentChannel.js';

// The limit of what can be created: the durable commits of each voucher, without HTTP, contract or controller.
// As many workers as there are connections, each one voucher after the other, through knex on the database as voucherd
// opens it (SQLite: one connection, WAL, synchronous=FULL). Per voucher two commits, which are shared with those that
// wait at the same time, as voucherd shares them:
//   1. the intents are inserted;
//   2. one transaction inserts the vouchers with the words that they are found by, the notifications and the entries of
//      the audit log, deletes the intents and raises the revisions.

export interface CommitsOptions {
  readonly databaseUrl: string;
  readonly workers: number;
  readonly sites: number;
}

export interface Commits {
  readonly completed: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const newId = (): string => randomBytes(16).toString('hex');

interface Order {
  readonly intent: string;
  readonly site: number;
  readonly now: number;
}

const newCode = (): string => String(randomBytes(6).readUIntBE(0, 6) % 10_000_000_000).padStart(10, '0');

const name = '2026-11-14_Familie Berger';
const source = 'API: Bench';
const limits = { down: 0, up: 0, quota_mb: 0 };

const orderRow = ({ site, now }: Order) => ({
  site_id: site,
  name,
  max_uses: 2,
  expire_minutes: 1440,
  created_at: now,
});

/** Rows in one statement: SQLite has a limit of variables in a statement. */
const rowsAtOnce = 100;

const insertIntents = async (db: Knex, orders: readonly Order[]): Promise<void> => {
  const rows = orders.map((order) => ({ id: order.intent, ...orderRow(order), ...limits, source }));
  await db.batchInsert('intents', rows, rowsAtOnce);
};

const recordVouchers = (db: Knex, orders: readonly Order[]): Promise<void> =>
  db.transaction(async (transaction) => {
    const vouchers = orders.map((order) => {
      const code = newCode();
      return {
        ...orderRow(order),
        ...limits,
        code,
        words: JSON.stringify(['familie', 'berger', code, code.slice(5)]),
        source,
        controller_id: 1,
        controller_voucher_id: newId(),
        intent_id: order.intent,
        status: 'valid',
        used_count: 0,
        expires_at: null,
      };
    });
    await transaction.batchInsert('vouchers', vouchers, rowsAtOnce);
    const notifications = orders.map(({ now }) => ({
      id: newId(),
      count: 1,
      site: 'Gebäude',
      source,
      created_at: now,
    }));
    await transaction.batchInsert('notifications', notifications, rowsAtOnce);
    const entries = orders.map(({ site, now }) => ({
      at: now,
      actor_kind: 'key',
      actor_name: 'Bench',
      action: 'voucher.create',
      subject_kind: 'voucher',
      subject_name: name,
      address: '127.0.0.1',
      detail: JSON.stringify({ site: 'Gebäude', siteId: site }),
      count: 1,
    }));
    await transaction.batchInsert('audit_log', entries, rowsAtOnce);
    await transaction('intents')
      .whereIn(
        'id',
        orders.map(({ intent }) => intent),
      )
      .delete();
    const sites = new Set(orders.map(({ site }) => site));
    await transaction('revisions')
      .insert([...sites].map((site) => ({ name: `site:${site}`, value: 1 })))
      .onConflict('name')
      .merge({ value: transaction.raw('revisions.value + 1') });
  });

/** Makes the function that commits one voucher, together with others that are committed at the same time. */
const makeCommitVoucher = (db: Knex) => {
  const shared = (commit: typeof insertIntents) =>
    batchCalls(async (orders: readonly Order[]) => {
      await commit(db, orders);
      return orders.map(() => undefined);
    });
  const [begin, record] = [shared(insertIntents), shared(recordVouchers)];
  return async (site: number): Promise<void> => {
    const order = { intent: newId(), site, now: Date.now() };
    await begin(order);
    await record(order);
  };
};

answerParent(async ({ databaseUrl, workers, sites }: CommitsOptions) => {
  const commitVoucher = makeCommitVoucher(openDatabase(databaseUrl).write);
  let turn = 0;
  const measure = async (seconds: number): Promise<Commits> => {
    const times: number[] = [];
    const started = performance.now();
    const until = started + seconds * 1000;
    const work = async (): Promise<void> => {
      for (let now = started; now < until;) {
        await commitVoucher((turn++ % sites) + 1);
        const done = performance.now();
        times.push(done - now);
        now = done;
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    return {
      completed: times.length,
      seconds: (performance.now() - started) / 1000,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
    };
  };
  return { ready: 'ready', answer: async (seconds: number) => ({ ...(await measure(seconds)) }) };
});
