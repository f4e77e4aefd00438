import type { Knex } from 'knex';
import KnexSqliteTransaction from 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js';
import KnexSqliteClient from 'knex/lib/dialects/sqlite3/index.js';
import { runInterruptibly, signalOf } from './interruption.js';
import { runObserved, type ObservedClientConfig } from './queryObserver.js';
import { DatabaseTimeout } from './unavailable.js';
import { errorCode } from '../lib/errorCode.js';

/** The client's settings beyond those of knex. */
export interface SqliteClientConfig extends Knex.Config {
  /** How long a statement may take; 0 means no limit. */
  readonly statementTimeoutMs: number;
  readonly observed?: ObservedClientConfig | undefined;
}

/** What this needs of a connection of the driver. */
interface SqliteConnection {
  interrupt(): void;
}

/** A statement that still waits for a thread can not be interrupted yet, so it is tried again. */
const interruptIntervalMs = 20;

/**
 * A transaction that waits for other writers when it begins. One that first reads and then writes would fail
 * at once, without waiting, when another process has written in between: what it has read is no longer true.
 */
class WritingTransaction extends KnexSqliteTransaction {
  /** Not by `query` of knex, after which the transaction's work would begin even if this fails. */
  override async begin(connection: unknown): Promise<void> {
    await this.trxClient.query(connection, 'BEGIN IMMEDIATE;');
  }
}

/**
 * knex's client for SQLite, which also interrupts a statement that takes too long, or whose caller is gone.
 */
export class SqliteClient extends KnexSqliteClient {
  declare config: SqliteClientConfig;

  override transaction(...settings: readonly unknown[]): WritingTransaction {
    return new WritingTransaction(this, ...settings);
  }

  override _query(connection: SqliteConnection, statement: object): Promise<unknown> {
    const signal = signalOf(statement);
    const { statementTimeoutMs, observed } = this.config;
    const run = () => super._query(connection, statement);
    return runObserved(observed, statement, () =>
      signal || statementTimeoutMs > 0 ? runLimited(run, connection, statementTimeoutMs, signal) : run(),
    );
  }
}

/** A connection runs one statement at a time, so an interrupt never hits another one. */
const runLimited = async (
  run: () => Promise<unknown>,
  connection: SqliteConnection,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<unknown> => {
  let timedOut: DatabaseTimeout | undefined;
  let again: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    connection.interrupt();
    again ??= setInterval(() => connection.interrupt(), interruptIntervalMs);
  };
  const onLate = (): void => {
    timedOut = new DatabaseTimeout('unreachable', `the database took longer than ${String(timeoutMs)} ms`);
    interrupt();
  };
  const timer = timeoutMs > 0 ? setTimeout(onLate, timeoutMs) : undefined;
  try {
    return await runInterruptibly(signal, run, interrupt);
  } catch (error) {
    throw errorCode(error) === 'SQLITE_INTERRUPT' ? (timedOut ?? error) : error;
  } finally {
    clearTimeout(timer);
    clearInterval(again);
  }
};
