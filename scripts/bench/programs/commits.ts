import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { openDatabase } from '../../../src/storage/database.js';
import { percentile } from '../results.js';
import { answerParent } from './parentChannel.js';

// The limit of what can be created: the durable commits of each voucher, without HTTP, contract or controller.
// 32 workers, each one voucher after the other, through knex and sqlite3 on one connection with WAL and
// synchronous=FULL, as voucherd opens it. Per voucher two commits, nothing gathered over several vouchers:
//   1. the intent is inserted;
//   2. one transaction inserts the voucher and the notification, deletes the intent and raises the site's revision.

export interface CommitsOptions {
  readonly file: string;
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

const commitVoucher = async (db: Knex, site: number): Promise<void> => {
  const intent = newId();
  const now = Date.now();
  const order = { site_id: site, name: '2026-11-14_Familie Berger', max_uses: 2, expire_minutes: 1440 };
  const limits = { down: 0, up: 0, quota_mb: 0 };
  await db('intents').insert({ id: intent, ...order, ...limits, source: 'API: Bench', created_at: now });
  await db.transaction(async (transaction) => {
    await transaction('vouchers').insert({
      ...order,
      code: String(randomBytes(6).readUIntBE(0, 6) % 10_000_000_000).padStart(10, '0'),
      controller_id: 1,
      controller_voucher_id: newId(),
      intent_id: intent,
      status: 'valid',
      used_count: 0,
      created_at: now,
      expires_at: null,
    });
    await transaction('notifications').insert({
      id: newId(),
      count: 1,
      site: 'Gebäude',
      source: 'API: Bench',
      created_at: now,
    });
    await transaction('intents').where({ id: intent }).delete();
    await transaction('revisions')
      .insert({ name: `site:${site}`, value: 1 })
      .onConflict('name')
      .merge({ value: transaction.raw('revisions.value + 1') });
  });
};

answerParent(async ({ file, workers, sites }: CommitsOptions) => {
  const { write } = openDatabase(`sqlite:${file}`);
  let turn = 0;
  const measure = async (seconds: number): Promise<Commits> => {
    const times: number[] = [];
    const started = performance.now();
    const until = started + seconds * 1000;
    const work = async (): Promise<void> => {
      for (let now = started; now < until;) {
        await commitVoucher(write, (turn++ % sites) + 1);
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
