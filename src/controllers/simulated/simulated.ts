import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { batchCalls } from '../../database/batch.js';
import { openSqliteFile } from '../../database/sqlite.js';
import { newId, type System } from '../../lib/system.js';
import { type Controller, type ControllerVoucher, type VoucherOrder } from '../controller.js';
import { drawCodes, type CodeForm } from '../codes.js';
import { CodesTaken, ControllerError, OutcomeUnknown } from '../errors.js';
import type { KeptLimits } from '../keptLimits.js';
import { trackInFlightCalls } from '../https/queue.js';
import { isInTimeRange } from '../match.js';
import { parseSimulatedSettings } from './settings.js';

interface SimulatedOptions {
  id: number;
  dataDir: string;
  settings: Readonly<Record<string, unknown>>;
  system: System;
}

interface Row {
  id: string;
  site: string;
  code: string;
  name: string;
  max_uses: number;
  expire_minutes: number;
  down: number;
  up: number;
  quota_mb: number;
  used_count: number;
  created_at: number;
  expires_at: number | null;
}

/** The file in which a simulated controller keeps its vouchers, as a real one keeps its own. */
export const simulatedFile = (dataDir: string, id: number): string =>
  join(dataDir, `simulated-${String(id)}.sqlite`);

const pageSize = 1000;

const noOffset = { atLeast: 0, atMost: 0 };

/** A controller without hardware, for the demo, for tests and benchmarks. */
export const makeSimulated = ({ id, dataDir, settings, system }: SimulatedOptions): Controller => {
  const { latencyMs, fault, hasOwnCodes, maxPerCall, maxPerOrder, capacity, lacks } =
    parseSimulatedSettings(settings);
  const db = openSqliteFile(simulatedFile(dataDir, id), 1, 'PRAGMA synchronous = NORMAL;');
  let ready: Promise<void> | undefined;
  const isReady = (): Promise<void> =>
    (ready ??= createSimulatedTable(db).catch((error: unknown) => {
      ready = undefined;
      throw error;
    }));
  const store = batchCalls(async (rows: readonly Row[]) => {
    await isReady();
    await db<Row>('vouchers').insert(rows).onConflict('code').ignore();
    return rows;
  });

  const { track, onIdle } = trackInFlightCalls();

  /** The vouchers with these codes that a site has. */
  const findCodes = async (
    { controllerSite, codes = [] }: VoucherOrder,
    name?: string,
  ): Promise<readonly Row[]> => {
    await isReady();
    const rows: Row[] = await db<Row>('vouchers')
      .select('*')
      .whereIn('code', codes)
      .where({ site: controllerSite ?? '', ...(name !== undefined && { name }) });
    return codes.flatMap((code) => rows.find((row) => row.code === code) ?? []);
  };

  const newRow = (order: VoucherOrder, code = drawCodes(tenDigits, 1, system)[0] ?? ''): Row => ({
    id: newId(system),
    site: order.controllerSite ?? '',
    code,
    name: order.name,
    max_uses: order.maxUses,
    expire_minutes: order.expireMinutes,
    down: order.down,
    up: order.up,
    quota_mb: order.quotaMb,
    used_count: 0,
    created_at: system.now(),
    expires_at: null,
  });

  const list = async function* (
    controllerSite: string | null,
    signal?: AbortSignal,
  ): AsyncGenerator<ControllerVoucher> {
    await isReady();
    for (let last = 0, full = true; full;) {
      signal?.throwIfAborted();
      const rows = await db('vouchers')
        .select<(Row & { rowid: number })[]>('*', 'rowid')
        .where('site', controllerSite ?? '')
        .where('rowid', '>', last)
        .orderBy('rowid')
        .limit(pageSize);
      for (const row of rows) yield fromRow(row, system.now());
      last = rows.at(-1)?.rowid ?? last;
      full = rows.length === pageSize;
    }
  };

  const assertRoom = async (count: number): Promise<void> => {
    if (capacity === Infinity) return;
    await isReady();
    const there = await db('vouchers').first<{ count: number }>(db.raw('count(*) as count'));
    if (there.count + count > capacity)
      throw new ControllerError(undefined, { kind: 'refused', reason: 'order' });
  };

  const makeRows = async (order: VoucherOrder, count: number): Promise<readonly Row[]> => {
    await assertRoom(count);
    return Promise.all(Array.from({ length: count }, () => store(newRow(order))));
  };

  /** Makes those vouchers of an order with our codes that do not exist yet. */
  const makeWithCodes = async (order: VoucherOrder, codes: readonly string[]): Promise<readonly Row[]> => {
    const find = async (): Promise<readonly Row[]> => {
      const found = await findCodes(order);
      if (found.some(({ name }) => name !== order.name)) throw new CodesTaken(undefined);
      return found;
    };
    const existing = new Set((await find()).map(({ code }) => code));
    const missing = codes.filter((code) => !existing.has(code));
    await assertRoom(missing.length);
    await Promise.all(missing.map((code) => store(newRow(order, code))));
    return find();
  };

  return {
    ...(hasOwnCodes && {
      ownCodes: tenDigits,
      find: async (order, _count, signal) => {
        signal?.throwIfAborted();
        return (await findCodes(order, order.name)).map((row) => fromRow(row, system.now()));
      },
    }),
    maxPerCall,
    keptLimits: lacks.length > 0 || maxPerOrder ? { ...withoutLimits(lacks), maxPerOrder } : undefined,
    create: async (order, count, signal) => {
      if (signal?.aborted) throw new ControllerError(undefined, { kind: 'deadline' });
      // Unreferenced: an answer that nobody waits for must not keep the process running.
      if (latencyMs > 0)
        await sleep(latencyMs, undefined, { ref: false, ...(signal && { signal }) }).catch(() => {
          throw new ControllerError(undefined, { kind: 'timeout' });
        });
      if (fault === 'refuse') throw new ControllerError(undefined, { kind: 'refused', reason: 'order' });
      if (fault === 'no-voucher') return [];
      const rows = await track(order.codes ? makeWithCodes(order, order.codes) : makeRows(order, count));
      if (fault === 'disconnect') throw new OutcomeUnknown(undefined, { kind: 'disconnected' });
      if (fault === 'lost-answer') await new Promise(() => undefined);
      return rows.map((row) => ({
        ...fromRow(row, system.now()),
        ...(fault === 'no-code' && { code: undefined }),
        ...(fault === 'no-id' && { id: null }),
      }));
    },
    list,
    createdIn: async function* (controllerSite, ranges, signal) {
      for await (const voucher of list(controllerSite, signal))
        if (ranges.some((range) => isInTimeRange(voucher.createdAt, range))) yield voucher;
    },
    // It lives in this process.
    clock: { offset: () => noOffset, measure: () => Promise.resolve(noOffset) },
    revoke: async (controllerSite, voucherId) => {
      await isReady();
      await db<Row>('vouchers')
        .where({ id: voucherId, site: controllerSite ?? '' })
        .delete();
    },
    probe: async (onStep) => {
      // One that is only tried, before it is added, leaves no file.
      if (id > 0) await isReady();
      for (const step of ['connected', 'signed-in', 'version', 'sites'] as const) onStep?.(step, version);
      return { version, sites: [{ id: 'default', name: 'Default' }] };
    },
    close: async () => {
      await onIdle();
      await db.destroy();
    },
  };
};

const version = 'simulated';

/** Creates the table of a simulated controller, unless it exists. */
export const createSimulatedTable = async (db: Knex): Promise<void> => {
  await db.raw(
    `create table if not exists vouchers (id text primary key, site text not null, code text not null unique,
      name text not null, max_uses integer not null, expire_minutes integer not null, down integer not null,
      up integer not null, quota_mb integer not null, used_count integer not null, created_at integer not null,
      expires_at integer)`,
  );
};

/** Like a UniFi console: ten decimal digits, leading zeros included. */
const tenDigits: CodeForm = { alphabet: 'digits', length: 10 };

/** What a controller keeps that lacks some of the limits. */
const withoutLimits = (lacks: readonly string[]): KeptLimits => {
  const bounds = { from: 1, to: 1_000_000 };
  const unless = <T>(name: string, kept: T): T | null => (lacks.includes(name) ? null : kept);
  return {
    time: { ...bounds, counts: 'first-use' },
    uses: unless('uses', { ...bounds, counts: 'devices' }),
    rates: unless('rates', bounds),
    volume: unless('volume', bounds),
  };
};

const fromRow = (row: Row, now: number): ControllerVoucher => ({
  id: row.id,
  code: row.code,
  name: row.name,
  maxUses: row.max_uses,
  expireMinutes: row.expire_minutes,
  down: row.down,
  up: row.up,
  quotaMb: row.quota_mb,
  usedCount: row.used_count,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  expired: row.expires_at !== null && row.expires_at <= now,
});
