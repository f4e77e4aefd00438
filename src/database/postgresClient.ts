import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { types } from 'node:util';
import type { Knex } from 'knex';
import KnexPostgresClient from 'knex/lib/dialects/postgres/index.js';
import type pg from 'pg';
import { runInterruptibly, signalOf } from './interruption.js';
import { runObserved, type ObservedClientConfig } from './queryObserver.js';
import { DatabaseTimeout, DatabaseUnavailable, type UnavailableCode } from './unavailable.js';
import { errorCode } from '../lib/errorCode.js';
import { publicText } from '../lib/publicText.js';
import { cancelStatement, type CancellableConnection } from './postgresCancel.js';
import { CodedError } from '../errors/codedError.js';

const require = createRequire(import.meta.url);

/** Loads the driver when it is needed: on SQLite a start does not wait for it. */
export const loadDriver = (): typeof pg => require('pg') as typeof pg;

/** The client's settings beyond those of knex. */
export interface PostgresClientConfig extends Knex.Config {
  /** The first statement on every connection, and its timeout. */
  readonly greeting: { readonly sql: string; readonly timeoutMs: number };
  /** How long a connection may be silent while a statement runs; 0 means no timeout. */
  readonly silenceMs: number;
  /** The timeout of the check whether another connection is silent too. */
  readonly pingMs: number;
  /**
   * Called when the database can't be reached, does not answer or can't be written. Without it, another pool
   * tells: at the server's connection limit that one may have connections.
   */
  onUnavailable?(code: UnavailableCode): void;
  readonly observed?: ObservedClientConfig | undefined;
}

/** A connection of the driver, with the socket that its types omit. */
type Connection = pg.Client & CancellableConnection & { readonly connection: { readonly stream: Socket } };

interface Acquiring {
  readonly promise: Promise<Connection>;
  reject(error: Error): void;
}

interface Pool {
  acquire(): Acquiring;
  /** Without those for whom a connection is already being checked. */
  readonly pendingAcquires: readonly Acquiring[];
  on(event: 'createFail', listener: (id: number, error: Error) => void): void;
}

/** How long a graceful close may take. */
const closeTimeoutMs = 1000;

/** SQLSTATE: the role or the server has reached its connection limit. */
const tooManyConnections = '53300';
/** SQLSTATE: a statement that writes, on a standby or in a session that may only read. */
const readOnlyTransaction = '25006';

/** A server that answers and can't be written, with the code that its statements would fail with. */
class ReadOnlyServer extends CodedError {
  override readonly name = 'ReadOnlyServer';

  constructor() {
    super(readOnlyTransaction, 'the server can only be read', { kind: 'unavailable' });
  }
}

/** Ends the name of every session of ours. */
export const sessionTag = 'voucherd';

/** Keeps what the operator calls the session in `DATABASE_URL`. */
const tagSession = `select set_config('application_name', concat_ws(' ',
  nullif(trim(replace(left(current_setting('application_name'), 40), '${sessionTag}', '')), ''), '${sessionTag}'), false)`;

/** On a standby, too, this is "on". */
const askReadOnly = 'show transaction_read_only';

/**
 * knex's client for PostgreSQL waits forever when a connection falls silent.
 * This one destroys a socket that is silent while a statement runs,
 * and rejects all pending acquires when no connection can be opened. At the server's connection limit they
 * wait for an existing connection instead. A statement whose caller is gone is cancelled.
 *
 * After a fail-over the same address may lead to a standby, so every new connection is asked,
 * and every open one once a statement could not write.
 */
export class PostgresClient extends KnexPostgresClient {
  declare config: PostgresClientConfig;
  #lastRefusal: Error | undefined;
  /** The connections that answered, and could write, since one did not; the others may be like that one. */
  #trusted = new WeakSet<Connection>();
  /** Whether a second connection was silent too, and none was opened since. */
  #pingFailed = false;

  constructor(config: PostgresClientConfig) {
    super(config);
    this.#pool().on('createFail', (_id, error) => {
      this.#lastRefusal = error;
      if (errorCode(error) === tooManyConnections) return;
      for (const acquiring of [...this.#pool().pendingAcquires]) acquiring.reject(error);
    });
  }

  override async acquireConnection(): Promise<Connection> {
    try {
      const connection = await this.#pool().acquire().promise;
      this.#lastRefusal = undefined;
      return connection;
    } catch (error) {
      // The pool's own error says only that it took too long.
      const reason = this.#lastRefusal;
      if (reason && (this.config.onUnavailable || errorCode(reason) !== tooManyConnections))
        throw this.#unavailable(reason, reason.message);
      throw new DatabaseTimeout('unreachable', 'no connection became free in time', reason ?? error);
    }
  }

  override async acquireRawConnection(): Promise<Connection> {
    const connection = (await super.acquireRawConnection()) as Connection;
    const { stream } = connection.connection;
    const { sql, timeoutMs } = this.config.greeting;
    const late = setTimeout(() => stream.destroy(new Error(silentConnection)), timeoutMs);
    try {
      assertWritable(await connection.query(`${sql}; ${tagSession}; ${askReadOnly}`));
    } catch (error) {
      stream.destroy();
      throw error;
    } finally {
      clearTimeout(late);
    }
    this.#watch(connection);
    this.#trusted.add(connection);
    this.#pingFailed = false;
    return connection;
  }

  override async validateConnection(connection: Connection): Promise<boolean> {
    if (this.#trusted.has(connection)) return true;
    // Two silent connections are enough: there is no time to check all of them.
    if (this.#pingFailed) return false;
    try {
      const answer = connection.query(askReadOnly);
      connection.connection.stream.setTimeout(this.config.pingMs);
      assertWritable(await answer);
      this.#trusted.add(connection);
      return true;
    } catch (error) {
      this.#pingFailed ||= !(error instanceof ReadOnlyServer);
      return false;
    }
  }

  override _query(connection: Connection, statement: object): Promise<unknown> {
    const run = () => super._query(connection, statement);
    // No method of this class: knex's clients of transactions have none that are private.
    return runObserved(this.config.observed, statement, () => runCancellable(connection, statement, run));
  }

  override async destroyRawConnection(connection: Connection): Promise<void> {
    // A silent server does not close its side either.
    const late = setTimeout(() => connection.connection.stream.destroy(), closeTimeoutMs);
    await super.destroyRawConnection(connection).finally(() => clearTimeout(late));
  }

  /** Watches all queries of a connection, including those that do not go through knex. */
  #watch(connection: Connection): void {
    const { stream } = connection.connection;
    const ask = connection.query.bind(connection) as (...args: unknown[]) => unknown;
    const explain = (error: unknown): unknown => {
      if (errorCode(error) === readOnlyTransaction) {
        // This connection is asked again before it is given out, too, and is closed then.
        this.#trusted = new WeakSet();
        return this.#unavailable(error, publicText(error));
      }
      const reason = lostReason(error);
      if (reason === undefined) return error;
      // A lock or statement timeout comes from a database that answers: other requests can go on.
      return timeoutCodes.test(errorCode(error))
        ? new DatabaseTimeout('unreachable', `the database took too long: ${reason}`, error)
        : this.#unavailable(error, reason);
    };
    const query = (...args: unknown[]): unknown => {
      stream.setTimeout(this.config.silenceMs);
      const done = args.at(-1) as ((error: unknown, result: unknown) => void) | undefined;
      if (typeof done !== 'function')
        return (ask(...args) as Promise<unknown>).catch((error: unknown) => {
          throw explain(error);
        });
      return ask(...args.slice(0, -1), (error: unknown, result: unknown) => {
        done(error && explain(error), result);
      });
    };
    Object.assign(connection, { query });
    connection.on('drain', () => stream.setTimeout(0));
    stream.on('timeout', () => {
      // If this process was blocked, the answer may already be in the socket: read it first.
      const { bytesRead } = stream;
      setImmediate(() => {
        if (stream.bytesRead !== bytesRead) return;
        this.#trusted = new WeakSet();
        stream.destroy(new Error(silentConnection));
      });
    });
  }

  #unavailable(cause: unknown, reason: string): DatabaseUnavailable {
    const code = errorCode(cause) === readOnlyTransaction ? 'read-only' : 'unreachable';
    this.config.onUnavailable?.(code);
    const what = code === 'read-only' ? 'the database can not be written' : 'the database does not answer';
    return new DatabaseUnavailable(code, `${what}: ${reason}`, cause);
  }

  #pool(): Pool {
    if (!this.pool) throw new Error('the database was closed');
    return this.pool as unknown as Pool;
  }
}

/** Runs a statement, which is cancelled when its caller is gone. */
const runCancellable = async (
  connection: Connection,
  statement: object,
  run: () => Promise<unknown>,
): Promise<unknown> => {
  let cancelled: Promise<void> | undefined;
  try {
    return await runInterruptibly(
      signalOf(statement),
      run,
      () => (cancelled = cancelStatement(loadDriver(), connection)),
    );
  } finally {
    await cancelled;
  }
};

/** The answer to statements of which the last is `askReadOnly`. */
const assertWritable = (answer: pg.QueryResult | pg.QueryResult[]): void => {
  const [row] = ([answer].flat().at(-1)?.rows ?? []) as { transaction_read_only?: string }[];
  if (row?.transaction_read_only === 'on') throw new ReadOnlyServer();
};

const silentConnection = 'the connection fell silent';

/** Messages of errors without a code that mean a lost connection. */
const lostConnectionMessages = [silentConnection, 'Connection terminated', 'is not queryable'];

/**
 * Codes for lost connections, stopped servers and timeouts: those of the operating system, and SQLSTATE 08
 * (connection), 57P (shutdown), 57014 (statement timeout), 55P03 (lock timeout), 25P03 (idle transaction).
 */
const lostConnectionCodes =
  /^(E(CONNRESET|CONNREFUSED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND)|08...|57P..|57014|55P03|25P03|53300)$/;

const timeoutCodes = /^(57014|55P03|25P03)$/;

/** Why a statement failed, if the cause is the connection or the server. */
const lostReason = (error: unknown): string | undefined => {
  if (!types.isNativeError(error)) return undefined;
  return lostConnectionMessages.some((words) => error.message.includes(words)) ||
    lostConnectionCodes.test(errorCode(error))
    ? publicText(error)
    : undefined;
};
