import { draftAudit, type Actor } from '../audit/audit.js';
import type { Config } from '../config/config.js';
import { makeWithLease, type LeaseTable } from '../database/leases.js';
import type { System } from '../lib/system.js';
import type { Log } from '../log/log.js';
import { makePace, type PaceDeps } from './pace.js';
import { makeRetentionTasks, type RetentionKind, type RetentionTables } from './retentionKinds.js';

/** How many rows of each kind; a kind that is kept for good is left out. */
export type RetentionCounts = Readonly<Partial<Record<RetentionKind, number>>>;

/** What is counted of it, for `/metrics`. */
export interface RetentionObserver {
  /** How many rows wait to be removed, at most `maxBacklog`. */
  backlog(kind: RetentionKind, rows: number): void;
  removed(kind: RetentionKind, rows: number): void;
  /** A run has ended without an error. */
  ran(at: number): void;
}

/** Removes records that have been kept for as long as they should be. */
export interface Retention {
  /**
   * Removes what is due, in small batches, and returns how many rows. Undefined when another process does it
   * just now. When it is stopped, it ends after the batch that it is at.
   */
  run(): Promise<RetentionCounts | undefined>;
  /** How many rows would be removed now, at most `limit` of each kind. */
  count(limit: number): Promise<RetentionCounts>;
  /** Ends a run early. */
  stop(): void;
}

interface RetentionDeps extends Pick<PaceDeps, 'pause'> {
  readonly config: Pick<Config, 'retention' | 'auditDays'>;
  readonly tables: RetentionTables & { readonly leases: LeaseTable };
  readonly system: System;
  readonly log: Log;
  /** Identifies this process as the owner of a lease. */
  readonly owner: string;
  /** Who the audit log says it was. */
  readonly actor?: Actor;
  readonly observer?: RetentionObserver;
}

/** How often a service looks for something to remove. */
export const retentionIntervalMs = 3_600_000;

/** More is not counted for the metrics: counting should cost less than removing. */
export const maxBacklog = 10_000;

const leaseOptions = { leaseMs: 60_000, renewBelowMs: 40_000 };

const systemActor: Actor = { kind: 'system', name: null, address: null };

export const makeRetention = (deps: RetentionDeps): Retention => {
  const { config, tables, system, log, owner, actor = systemActor, observer, pause } = deps;
  const withLease = makeWithLease(tables.leases, owner, system);
  const stopped = new AbortController();

  /** Also when the run has failed, for what it has removed. */
  const recordRun = async (counts: RetentionCounts): Promise<void> => {
    const detail = Object.fromEntries(Object.entries(counts).filter(([, rows]) => rows > 0));
    if (Object.keys(detail).length === 0) return;
    log.info({ removed: detail }, 'old records removed');
    await tables.auditLog.add({
      ...draftAudit(actor, 'retention.run', system.now(), detail),
      subjectKind: null,
      subjectId: null,
      subjectName: null,
    });
  };

  /** What can not be counted, for instance in time, is removed all the same. */
  const countBacklog = async (tasks: ReturnType<typeof makeRetentionTasks>): Promise<void> => {
    if (!observer) return;
    for (const { kind, count } of tasks) {
      try {
        observer.backlog(kind, await count(maxBacklog));
      } catch (error) {
        log.warn({ kind, err: error }, 'old records not counted');
      }
    }
  };

  const removeAll = async (renew: () => Promise<boolean>): Promise<RetentionCounts> => {
    const tasks = makeRetentionTasks(tables, config, system.now());
    await countBacklog(tasks);
    const counts: Partial<Record<RetentionKind, number>> = {};
    for (const { kind } of tasks) counts[kind] = 0;
    const pace = makePace({
      signal: stopped.signal,
      ...(pause && { pause }),
      beforeBatch: async () => {
        if (!(await renew())) throw new Error('lease lost to another process');
      },
    });
    try {
      for (const { kind, remove } of tasks) {
        await remove(pace, (of, rows) => {
          counts[of] = (counts[of] ?? 0) + rows;
          observer?.removed(of, rows);
        });
        observer?.backlog(kind, 0);
      }
      observer?.ran(system.now());
    } catch (error) {
      if (!stopped.signal.aborted) throw error;
    } finally {
      await recordRun(counts);
    }
    return counts;
  };

  return {
    run: () => withLease('retention', leaseOptions, ({ renew }) => removeAll(renew)),
    count: async (limit) => {
      const counts: Partial<Record<RetentionKind, number>> = {};
      for (const { kind, count } of makeRetentionTasks(tables, config, system.now()))
        counts[kind] = await count(limit);
      return counts;
    },
    stop: () => stopped.abort(),
  };
};
