import type { Socket } from 'node:net';
import { types } from 'node:util';
import type { Knex } from 'knex';
import KnexPostgresClient from 'knex/lib/dialects/postgres/index.js';
import type pg from 'pg';
import { DatabaseUnavailable, errorCode, publicText } from '../lib/problem.js';

/** What the client needs beyond knex's own settings. */
export interface PostgresClientConfig extends Knex.Config {
  /** What is said first on every connection, and how long the answer may take. */
  readonly greeting: { readonly sql: string; readonly timeoutMs: number };
  /** How long a connection may be silent while a statement runs; 0 is any time. */
  readonly silenceMs: number;
  /** How long a connection may take to show that it has not fallen silent too. */
  readonly pingMs: number;
  /** Called when the database could not be reached, or did not answer. */
  onUnavailable?(): void;
}

/** A connection of the driver, with the socket that its types leave out. */
type Connection = pg.Client & { readonly connection: { readonly stream: Socket } };

interface Acquiring {
  readonly promise: Promise<Connection>;
  reject(error: Error): void;
}

interface Pool {
  acquire(): Acquiring;
  /** Those who wait, but for whom a connection is being checked already. */
  readonly pendingAcquires: readonly Acquiring[];
  on(event: 'createFail', listener: (id: number, error: Error) => void): void;
}

/** How long a connection may take to say goodbye. */
const closeTimeoutMs = 1000;

/** SQLSTATE: the role, or the server, has all the connections that it may have. */
const tooManyConnections = '53300';

/**
 * knex's client for PostgreSQL waits for ever when a connection falls silent. This one destroys a socket that is silent
 * while a statement runs, and tells everybody who waits for a connection when none can be opened. Where the server
 * gives no more connections, they wait for one that exists.
 */
export class PostgresClient extends KnexPostgresClient {
  declare config: PostgresClientConfig;
  #lastRefusal: Error | undefined;
  /** The connections that answered since one fell silent: the others may have gone the same way. */
  #trusted = new WeakSet<Connection>();
  /** Did another one not answer either, and none was opened since? */
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
      // What the pool itself has to say is only that it took too long.
      const reason = this.#lastRefusal ?? new Error('no connection became free in time', { cause: error });
      throw this.#unavailable(reason, reason.message);
    }
  }

  override async acquireRawConnection(): Promise<Connection> {
    const connection = (await super.acquireRawConnection()) as Connection;
    const { stream } = connection.connection;
    const { sql, timeoutMs } = this.config.greeting;
    const late = setTimeout(() => stream.destroy(new Error(silentConnection)), timeoutMs);
    try {
      await connection.query(sql);
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
    // Two that are silent are enough: whoever waits can't wait for each of them.
    if (this.#pingFailed) return false;
    try {
      const answer = connection.query('select 1');
      connection.connection.stream.setTimeout(this.config.pingMs);
      await answer;
      this.#trusted.add(connection);
      return true;
    } catch {
      this.#pingFailed = true;
      return false;
    }
  }

  override async destroyRawConnection(connection: Connection): Promise<void> {
    // A server that has fallen silent does not close its side either.
    const late = setTimeout(() => connection.connection.stream.destroy(), closeTimeoutMs);
    await super.destroyRawConnection(connection).finally(() => clearTimeout(late));
  }

  /** Watches what is asked on a connection, whoever asks: not everybody does it by way of knex. */
  #watch(connection: Connection): void {
    const { stream } = connection.connection;
    const ask = connection.query.bind(connection) as (...args: unknown[]) => unknown;
    const explain = (error: unknown): unknown => {
      const reason = lostReason(error);
      if (reason === undefined) return error;
      // Whoever waits too long for a lock has a database that answers: others need not be turned away.
      return timeoutCodes.test(errorCode(error))
        ? new DatabaseUnavailable(`the database took too long: ${reason}`, { cause: error })
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
      // When this process itself stood still, the answer may lie in the socket: it is read first.
      const { bytesRead } = stream;
      setImmediate(() => {
        if (stream.bytesRead !== bytesRead) return;
        this.#trusted = new WeakSet();
        stream.destroy(new Error(silentConnection));
      });
    });
  }

  #unavailable(cause: unknown, reason: string): DatabaseUnavailable {
    this.config.onUnavailable?.();
    return new DatabaseUnavailable(`the database does not answer: ${reason}`, { cause });
  }

  #pool(): Pool {
    if (!this.pool) throw new Error('the database was closed');
    return this.pool as unknown as Pool;
  }
}

const silentConnection = 'the connection fell silent';

/** How the driver, and we, call a connection that is gone. These have no code. */
const lostConnectionMessages = [silentConnection, 'Connection terminated', 'is not queryable'];

/**
 * Codes of a connection or a server that is gone, and of statements that took too long: of the operating system, and
 * SQLSTATE 08 (connection), 57P (shutdown), 57014 (statement timeout), 55P03 (lock timeout), 25P03 (idle transaction).
 */
const lostConnectionCodes =
  /^(E(CONNRESET|CONNREFUSED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND)|08...|57P..|57014|55P03|25P03|53300)$/;

const timeoutCodes = /^(57014|55P03|25P03)$/;

/** Why a statement failed, if neither it nor the data are to blame. */
const lostReason = (error: unknown): string | undefined => {
  if (!types.isNativeError(error)) return undefined;
  return lostConnectionMessages.some((words) => error.message.includes(words)) ||
    lostConnectionCodes.test(errorCode(error))
    ? publicText(error)
    : undefined;
};
