import type { Command } from 'commander';
import { newId, nodeSystem } from '../../lib/system.js';
import type { RetentionTerm } from '../../retention/retentionTerms.js';
import { CommandError, counted, printList, type Io } from '../io.js';
import { commandLineActor, makeSilentLog, withTables } from '../openTables.js';
import { abortOnSignal, type Signals } from '../../lib/signals.js';

/** Adds the commands of `retention`. */
export const addRetentionCommands = (retention: Command, io: Io, signals: Signals = process): void => {
  retention
    .command('run')
    .description('Remove what has been kept for long enough now; the service does it automatically')
    .option('--dry-run', 'remove nothing, and print how many rows would go')
    .option('--json', 'print JSON')
    .action((options: RunOptions) => runNow(io, signals, options));
};

interface RunOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/**
 * Works beside a running service, in the same small batches. A signal ends it after the batch that it is at.
 */
const runNow = (io: Io, signals: Signals, { dryRun = false, json }: RunOptions): Promise<void> =>
  withTables(io, async ({ config, database, tables, clock }) => {
    const { makeRetention } = await import('../../retention/retention.js');
    const system = { ...nodeSystem, now: () => clock.now() };
    const log = await makeSilentLog();
    const owner = newId(system);
    const retention = makeRetention({ config, tables, system, log, owner, actor: commandLineActor });
    let interrupted: Error | undefined;
    const counts = dryRun
      ? // Counting many rows may take longer than a statement of the service.
        await database.withoutTimeouts(async (db) => {
          const { makeTables } = await import('../../app/tables.js');
          const unlimited = makeTables({ ...database, read: db, write: db });
          return makeRetention({ config, tables: unlimited, system, log, owner }).count(
            Number.MAX_SAFE_INTEGER,
          );
        })
      : await abortOnSignal(signals, toInterrupted, (signal) => {
          signal.addEventListener('abort', () => {
            interrupted = signal.reason as Error;
            retention.stop();
          });
          return retention.run();
        });
    if (!counts)
      throw new CommandError(
        'retention-running',
        'another process removes old records just now: try again when it has ended',
      );
    const { listRetentionTerms } = await import('../../retention/retentionTerms.js');
    const rows = listRetentionTerms(config).map((term) => ({ ...term, rows: counts[term.kind] ?? null }));
    if (json) io.out(`${JSON.stringify({ dryRun, records: rows }, null, 2)}\n`);
    else printReport(io, rows, dryRun);
    if (interrupted) throw interrupted;
  });

const toInterrupted = (): Error =>
  new CommandError('interrupted', 'interrupted: what is left goes with the next run');

interface KindReport extends RetentionTerm {
  /** How many rows were removed, or would be; null when they are kept for good. */
  readonly rows: number | null;
}

const printReport = (io: Io, reports: readonly KindReport[], dryRun: boolean): void => {
  printList(
    io,
    false,
    reports,
    ({ kind, days, setting, rows }) => ({
      records: kind,
      'kept for': days === null ? 'good' : days === 0 ? 'the rest of the day' : counted(days, 'day'),
      [dryRun ? 'would go' : 'removed']: rows === null ? '-' : String(rows),
      'set with': setting ?? '-',
    }),
    '',
  );
};
