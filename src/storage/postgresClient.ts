import type { Socket } from 'node:net';
import { types } from 'node:util';
import type { Knex } from 'knex';
import KnexPostgresClient from 'knex/lib/dialects/postgres/index.js';
import type pg from 'pg';
import { DatabaseUnavailable } from '../databaseUnavailable.js';
import { errorCode } from '../errorCode.js';
import { publicText } from '../problem.js';

/** What the client needs beyond knex's own settings. */
export interface PostgresClientConfig extends Knex.Config {
  /** What is said first on every connection, and how long the answer may take. */
  readonly greeting: { readonly sql: string; readonly timeoutMs: number };
  /** How long a connection may be silent while a statement runs. Without it, for ever. */
  readonly silenceMs?: number;
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
  on(event: 'createFail', listener: (id: number, error: Error) => void): void;
}

/** How long a connection may take to say goodbye. */
const goodbyeMs = 1000;

/** SQLSTATE: the role, or the server, has all the connections that it may have. */
const tooManyConnections = '53300';

/**
 * knex's client for PostgreSQL waits for ever when a connection falls silent. This one destroys a socket that is silent
 * while a statement runs, and tells everybody who waits for a connection when none can be opened. Where the server
 * gives no more connections, they wait for one that exists.
 */
export class PostgresClient extends KnexPostgresClient {
  declare config: PostgresClientConfig;
  readonly #acquiring = new Set<Acquiring>();
  #lastRefusal: Error | undefined;
  /** The connections that were opened since one fell silent: the older ones may have gone the same way. */
  #trusted = new WeakSet<Connection>();

  constructor(config: PostgresClientConfig) {
    super(config);
    this.#pool().on('createFail', (_id, error) => {
      this.#lastRefusal = error;
      if (errorCode(error) === tooManyConnections) return;
      for (const acquiring of this.#acquiring) acquiring.reject(error);
    });
  }

  override async acquireConnection(): Promise<Connection> {
    const acquiring = this.#pool().acquire();
    this.#acquiring.add(acquiring);
    try {
      const connection = await acquiring.promise;
      this.#lastRefusal = undefined;
      return connection;
    } catch (error) {
      // What the pool itself has to say is only that it took too long.
      const reason = this.#lastRefusal ?? new Error('no connection became free in time', { cause: error });
      throw this.unavailable(reason, reason.message);
    } finally {
      this.#acquiring.delete(acquiring);
    }
  }

  override async acquireRawConnection(): Promise<Connection> {
    const connection = (await super.acquireRawConnection()) as Connection;
    const { stream } = connection.connection;
    stream.on('timeout', () => {
      // When this process itself stood still, the answer may lie in the socket: it is read first.
      const { bytesRead } = stream;
      setImmediate(() => {
        if (stream.bytesRead !== bytesRead) return;
        this.#trusted = new WeakSet();
        stream.destroy(new Error(silence));
      });
    });
    const { sql, timeoutMs } = this.config.greeting;
    stream.setTimeout(timeoutMs);
    try {
      await connection.query(sql);
    } catch (error) {
      stream.destroy();
      throw error;
    }
    stream.setTimeout(0);
    this.#trusted.add(connection);
    return connection;
  }

  override validateConnection(connection: Connection): Promise<boolean> {
    return Promise.resolve(this.#trusted.has(connection));
  }

  override async destroyRawConnection(connection: Connection): Promise<void> {
    // A server that has fallen silent does not close its side either.
    const late = setTimeout(() => connection.connection.stream.destroy(), goodbyeMs);
    await super.destroyRawConnection(connection).finally(() => clearTimeout(late));
  }

  /** Statements of transactions come this way too, but with a client that has nothing but this one's configuration. */
  override async query(connection: Connection, statement: unknown): Promise<unknown> {
    const { stream } = connection.connection;
    stream.setTimeout(this.config.silenceMs ?? 0);
    try {
      return (await super.query(connection, statement)) as unknown;
    } catch (error) {
      const reason = lostReason(error);
      throw reason === undefined ? error : this.unavailable(error, reason);
    } finally {
      stream.setTimeout(0);
    }
  }

  private unavailable(cause: unknown, reason: string): DatabaseUnavailable {
    this.config.onUnavailable?.();
    return new DatabaseUnavailable(`the database does not answer: ${reason}`, { cause });
  }

  #pool(): Pool {
    if (!this.pool) throw new Error('the database was closed');
    return this.pool as unknown as Pool;
  }
}

const silence = 'the connection fell silent';

/** The driver's own words for a connection that is gone, behind the statement. They have no code. */
const gone = new RegExp(`(${silence}|Connection terminated( unexpectedly)?|is not queryable)$`);

/**
 * Codes of a connection or a server that is gone, and of statements that took too long: of the operating system, and
 * SQLSTATE 08 (connection), 57P (shutdown), 57014 (statement timeout), 55P03 (lock timeout), 25P03 (idle transaction).
 */
const lost =
  /^(E(CONNRESET|CONNREFUSED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND)|08...|57P..|57014|55P03|25P03|53300)$/;

/** Why a statement failed, if neither it nor the data are to blame. */
const lostReason = (error: unknown): string | undefined => {
  if (!types.isNativeError(error)) return undefined;
  const [, words] = gone.exec(error.message) ?? [];
  return words ?? (lost.test(errorCode(error)) ? publicText(error) : undefined);
};
