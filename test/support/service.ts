import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { generateApiKey } from '../../src/apiKeys/apiKeys.js';
import { startApp } from '../../src/app/app.js';
import type { App } from '../../src/app/runningApp.js';
import { readConfig } from '../../src/config/config.js';
import { loadServiceContract, webContractFile } from '../../src/config/packagedContracts.js';
import type { Contract } from '../../src/contract/contract.js';
import type { Tables } from '../../src/app/tables.js';
import type { Database } from '../../src/database/database.js';
import { nodeSystem, type System } from '../../src/lib/system.js';
import { pinoOptions } from '../../src/log/log.js';
import type { Scope } from '../../src/apiKeys/apiKeyTable.js';
import { putSqliteDatabase } from './databases.js';
import { expectNoLeak, plantSecrets } from './secretLeaks.js';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  /** The body read as JSON; undefined when it is none. */
  readonly body: unknown;
}

export interface RequestOptions {
  /** Sent as `Authorization: Bearer`. */
  key?: string;
  headers?: Record<string, string | string[]>;
  /** A text or a buffer is sent as it is, a `FormData` as `multipart/form-data`, anything else as JSON. */
  body?: unknown;
}

export interface KeyOptions {
  name?: string;
  scope?: Scope;
  rateLimit?: number;
  expiresAt?: number | null;
}

export interface SiteOptions {
  name?: string;
  active?: boolean;
  /** How long its controller takes for an answer. */
  latencyMs?: number;
  fault?: string;
  /** Further knobs of its controller. */
  knobs?: Record<string, unknown>;
}

export interface TestService {
  readonly url: string;
  readonly dataDir: string;
  readonly app: App;
  readonly tables: Tables;
  readonly database: Database;
  /** The log lines so far. */
  readonly lines: string[];
  /** Adds a key and returns it. */
  addKey(options?: KeyOptions): Promise<string>;
  /** Adds a site on a simulated controller of its own and returns its id. */
  addSite(options?: SiteOptions): Promise<number>;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, body: unknown, options?: RequestOptions): Promise<Answer>;
  /** Stops it, and fails when a planted secret was in a log line or an answer. */
  stop(options?: { keepData?: boolean }): Promise<void>;
}

export interface StartOptions {
  env?: Record<string, string>;
  system?: Partial<System>;
  contractFile?: string;
  development?: boolean;
  /** Is it a demo, which the pages say? */
  isDemo?: boolean;
  /** An existing folder is kept when the service stops. */
  dataDir?: string;
}

/** What hashing costs is not what most tests are about. */
export const cheapPasswords = { ln: 4, r: 8, p: 1 };
/** Nor is how long a guest's browser solves puzzles. */
export const puzzleBits = 5;

let webContract: Contract | undefined;
let packagedContract: Contract | undefined;
/** The contract of this checkout, compiled once for all services of a process. */
export const loadPackagedContract = (): Contract => (packagedContract ??= loadServiceContract());

/** A whole service on a free port, with SQLite in a folder of its own. */
export const startService = async (options: StartOptions = {}): Promise<TestService> => {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'voucherd-test-')));
  if (options.dataDir === undefined) await putSqliteDatabase(dataDir);
  const removeFolder = async (): Promise<void> => {
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  const lines: string[] = [];
  const log = pino({ ...pinoOptions, level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const system: System = { ...nodeSystem, ...options.system };
  const config = readConfig({
    PORT: '0',
    NODE_ENV: 'test',
    // Records that a test has written itself are on no controller.
    SYNC_INTERVAL_S: '0',
    // An order whose outcome is unknown stays open until the test looks what became of it.
    RECONCILE_INTERVAL_S: '3600',
    // A busy machine is no database that does not answer.
    DATABASE_TIMEOUT_S: '120',
    // Nor is it a controller that does not answer. Less than a minute, by which tests advance their clocks.
    CONTROLLER_DEADLINE_S: '59',
    DATA_DIR: dataDir,
    ...options.env,
  });
  const { contractFile, development = false, isDemo = false } = options;
  const contract = contractFile ?? loadPackagedContract();
  const app = await startApp({
    config,
    log,
    system,
    development,
    isDemo,
    contract,
    webContract: (webContract ??= loadServiceContract(webContractFile)),
    passwordCost: cheapPasswords,
    puzzleBits,
  }).catch(async (error: unknown) => {
    await removeFolder();
    throw error;
  });
  const { url, tables, database } = app;
  let controllers = 0;

  const answers: string[] = [];
  const request: TestService['request'] = async (method, path, requestOptions) => {
    const answer = await send(url, method, path, requestOptions);
    answers.push(JSON.stringify(answer.headers), answer.text);
    return answer;
  };
  let stopped: Promise<void> | undefined;
  const stop = async ({ keepData = false } = {}): Promise<void> => {
    await app.stop();
    if (!keepData) await removeFolder();
    expectNoLeak([...lines, ...answers]);
  };
  return {
    url,
    dataDir,
    app,
    tables,
    database,
    lines,
    addKey: async ({ name = 'Test', scope = 'write', rateLimit = 0, expiresAt = null } = {}) => {
      const { key, prefix, hash } = generateApiKey(nodeSystem);
      plantSecrets([key]);
      await tables.apiKeys.add({
        name,
        prefix,
        hash,
        scope,
        rateLimit,
        createdAt: system.now(),
        expiresAt,
      });
      return key;
    },
    addSite: async ({ name = 'Hauptgebäude', active = true, latencyMs = 0, fault = 'none', knobs } = {}) => {
      const settings = { latencyMs, fault, ...knobs };
      const controllerName = `controller ${String(++controllers)} of ${String(system.now())} ${name}`;
      const controllerId = await tables.controllers.add(
        { name: controllerName, kind: 'simulated', settings },
        system.now(),
      );
      return tables.sites.add({ name, active, controllerId, controllerSite: null }, system.now());
    },
    request,
    get: (path, requestOptions) => request('GET', path, requestOptions),
    post: (path, body, requestOptions) => request('POST', path, { ...requestOptions, body }),
    stop: (given) => (stopped ??= stop(given)),
  };
};

/** One request on a connection of its own. */
export const send = async (
  url: string,
  method: string,
  path: string,
  { key, headers, body }: RequestOptions = {},
): Promise<Answer> => {
  const form = body instanceof FormData ? new Response(body) : undefined;
  const type = form ? { 'Content-Type': form.headers.get('content-type') ?? '' } : {};
  const payload = form ? Buffer.from(await form.arrayBuffer()) : payloadOf(body);
  return new Promise((resolve, reject) => {
    const authorization = key === undefined ? {} : { Authorization: `Bearer ${key}` };
    const length = payload === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(payload)) };
    const req = httpRequest(
      url + path,
      { method, agent: false, headers: { ...authorization, ...length, ...type, ...headers } },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          resolve({ status: res.statusCode ?? 0, headers: res.headers, text, bytes, body: parse(text) });
        });
      },
    );
    req.on('error', reject);
    req.end(payload);
  });
};

const payloadOf = (body: unknown): string | Buffer | undefined =>
  body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
