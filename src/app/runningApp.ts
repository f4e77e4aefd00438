import type { Config } from '../config/config.js';
import type { Contract } from '../contract/contract.js';
import type { Database } from '../database/database.js';
import type { ReloadResult } from '../http/servedContract.js';
import type { RunningHttpServer } from '../http/server.js';
import type { System } from '../lib/system.js';
import type { Log } from '../log/log.js';
import type { ScryptCost } from '../users/passwords.js';
import type { Tracer } from '../tracing/tracer.js';
import type { Tables } from './tables.js';

/** What a service is started with. */
export interface StartAppOptions {
  config: Config;
  log: Log;
  /** How many lines the log has dropped, for the metrics. */
  droppedLogLines?: () => number;
  system?: System;
  /** Records traces, where somebody wants them. It is stopped with the service. */
  tracer?: Tracer | undefined;
  /** Checks the stored data before anything starts. An error ends the start. */
  prepare?(tables: Tables): Promise<void>;
  /** A contract other than the packaged one, or its file. */
  contract?: string | Contract;
  /** The contract of the pages, where it is loaded already. */
  webContract?: Contract;
  /**
   * Operations without a handler answer from their examples, which are checked, and pages are notified of a
   * reload.
   */
  development?: boolean;
  /** Is it a demo? The pages say so. */
  isDemo?: boolean;
  /** What hashing a password costs, for tests. */
  passwordCost?: ScryptCost;
  /** How hard the puzzles of guests are, for tests. */
  puzzleBits?: number;
}

/** A running service. */
export interface App {
  /** Where it listens, with the base path. */
  readonly url: string;
  /** The Unix socket that it listens on; undefined for an address. */
  readonly socket: string | undefined;
  /** Where people reach it. */
  readonly publicUrl: string;
  readonly database: Database;
  readonly tables: Tables;
  /** The time of its database's clock. */
  now(): number;
  /** The address where the first administrator is created, once; undefined when there is a user already. */
  firstStartUrl(): Promise<string | undefined>;
  /** How many pages are told of changes now. */
  listeningPages(): number;
  /** Settles open intents now, and returns how many are left. */
  reconcile(): Promise<number>;
  /** Compares recorded vouchers with their controllers now. */
  sync(): Promise<void>;
  /**
   * Serves another contract, or what its file says now, from the next request on; requests in flight keep
   * the one they started with. A contract that can not be served is thrown, and nothing changes.
   */
  reload(contract?: string | Contract): Promise<ReloadResult>;
  /** Shows another certificate to new connections. */
  replaceCertificate: RunningHttpServer['replaceCertificate'];
  /** The operations that answered from their examples when it started. */
  readonly mockedAtStart: readonly string[];
  /** Stops accepting requests, finishes those in flight, and closes everything. */
  stop(): Promise<void>;
}
