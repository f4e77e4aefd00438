import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passing } from 'node:timers/promises';
import { pino } from 'pino';
import { generateApiKey } from '../../../src/apiKeys/apiKeys.js';
import { startApp } from '../../../src/app/app.js';
import type { App } from '../../../src/app/runningApp.js';
import { readConfig } from '../../../src/config/config.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { openSecrets } from '../../../src/secrets/secretKey.js';
import { sealCredentials, type Secrets } from '../../../src/secrets/encryption.js';
import { faultCells, faultDeadlineMs, type FaultScenario } from './scenarios.js';
import type { FaultAdapter, FaultyController } from './faultAdapter.js';

/** Most of a scenario is waiting for deadlines, so many run concurrently. */
const concurrency = 8;

/** Four orders each, of which two meet the fault. */
const usualRounds = 10;

/** Runs adapters in scenarios against one service, in the order of the table. */
export const runFaultMatrix = async (rounds = usualRounds, cells = faultCells): Promise<FaultOutcome[]> => {
  const target = await startTarget();
  try {
    return await runCells(target, rounds, cells);
  } finally {
    await target.stop();
  }
};

const runCells = async (
  target: FaultTarget,
  rounds: number,
  cells: typeof faultCells,
): Promise<FaultOutcome[]> => {
  const outcomes: FaultOutcome[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < cells.length; index = next++) {
      const cell = cells[index];
      if (cell) outcomes[index] = await runFaultScenario(target, cell.adapter, cell.trial, rounds);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return outcomes;
};

/** The result of one adapter in one scenario. */
export interface FaultOutcome {
  readonly adapter: string;
  readonly trial: string;
  /** How many of the orders met the fault. */
  readonly met: number;
  readonly orders: number;
  /** The number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly slowestMs: number;
  readonly made: number;
  readonly recorded: number;
  /** Vouchers that only the console has, or only the records. */
  readonly disagree: number;
  readonly twice: number;
  readonly openIntents: number;
}

/** Do controller and records agree, and has every answer a status that the specification allows? */
export const isConsistent = ({ statuses, disagree, twice, openIntents }: FaultOutcome): boolean =>
  Object.keys(statuses).every((status) => ['201', '500', '502'].includes(status)) &&
  disagree === 0 &&
  twice === 0 &&
  openIntents === 0;

/** Did every order end within the deadline, plus a second for everything else? */
export const isInTime = ({ slowestMs }: FaultOutcome): boolean => slowestMs <= faultDeadlineMs + 1000;

/** The service that all scenarios order from, each with a console and a site of its own. */
interface FaultTarget {
  readonly service: App;
  readonly secrets: Secrets;
  readonly key: string;
  stop(): Promise<void>;
}

const startTarget = async (): Promise<FaultTarget> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'voucherd-faults-'));
  const config = readConfig({
    PORT: '0',
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    CONTROLLER_DEADLINE_S: String(faultDeadlineMs / 1000),
    RECONCILE_INTERVAL_S: '1',
    RECONCILE_GRACE_S: '3',
    SYNC_INTERVAL_S: '0',
  });
  const service = await startApp({ config, log: pino({ level: 'silent' }) });
  const { key, prefix, hash } = generateApiKey(nodeSystem);
  await service.tables.apiKeys.add({
    name: 'Fehlerprobe',
    prefix,
    hash,
    scope: 'write',
    rateLimit: 0,
    createdAt: nodeSystem.now(),
    expiresAt: null,
  });
  return {
    service,
    secrets: openSecrets(config),
    key,
    stop: async () => {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** In each round two of four concurrent orders meet the fault, so that the circuit breaker stays closed. */
const [ordersPerRound, faultsPerRound] = [4, 2];
const settleWithinMs = 240_000;

/** Runs as many orders that meet a fault as that do not, then compares console and records. */
const runFaultScenario = async (
  target: FaultTarget,
  adapter: FaultAdapter,
  trial: FaultScenario,
  rounds: number,
): Promise<FaultOutcome> => {
  const { service, key } = target;
  const console = await adapter.start(trial.console);
  try {
    const siteId = await addSite(target, `${trial.title} (${adapter.title})`, adapter, console);
    const order = async (name: string): Promise<{ status: number; ms: number }> => {
      const started = performance.now();
      const answer = await fetch(`${service.url}/vouchers.php`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}` },
        body: JSON.stringify({ site_id: siteId, name }),
      });
      await answer.arrayBuffer();
      return { status: answer.status, ms: performance.now() - started };
    };
    // The first one signs in.
    await order('Vorher');
    const answers: { status: number; ms: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      console.fault({ on: 'create', times: faultsPerRound, ...trial.fault });
      const names = Array.from({ length: ordersPerRound }, (_, index) => `Gast ${String(index % 2)}`);
      answers.push(...(await Promise.all(names.map(order))));
    }
    console.fault(undefined);
    await settled(service, siteId);
    return {
      adapter: adapter.title,
      trial: trial.title,
      met: rounds * faultsPerRound,
      orders: answers.length,
      statuses: countOf(answers.map(({ status }) => String(status))),
      slowestMs: Math.max(...answers.map(({ ms }) => ms)),
      ...(await compare(service, siteId, console)),
    };
  } finally {
    await console.stop();
  }
};

/** Adds the console as a controller, and returns the id of a site on it. */
const addSite = async (
  { service, secrets }: FaultTarget,
  name: string,
  { kind }: FaultAdapter,
  { settings, credentials, site }: FaultyController,
): Promise<number> => {
  const { controllers, sites } = service.tables;
  const now = nodeSystem.now();
  const sealedCredentials = sealCredentials(secrets, { kind, settings }, credentials);
  const controllerId = await controllers.add({ name, kind, settings, sealedCredentials }, now);
  return sites.add({ name, active: true, controllerId, controllerSite: site }, now);
};

const openIntentsOf = async ({ tables }: App, siteId: number): Promise<number> =>
  (await tables.intents.all()).filter((intent) => intent.siteId === siteId).length;

/** Waits until the service has settled every intent of a site, or until it takes too long. */
const settled = async (service: App, siteId: number): Promise<void> => {
  const end = performance.now() + settleWithinMs;
  while ((await openIntentsOf(service, siteId)) > 0 && performance.now() < end) {
    await passing(200);
  }
};

const compare = async (
  service: App,
  siteId: number,
  console: FaultyController,
): Promise<Pick<FaultOutcome, 'made' | 'recorded' | 'disagree' | 'twice' | 'openIntents'>> => {
  const made = new Set(await console.codes());
  const recorded = await service.database.read('vouchers').where('site_id', siteId).pluck<string[]>('code');
  const distinct = new Set(recorded);
  return {
    made: made.size,
    recorded: recorded.length,
    disagree:
      [...made].filter((code) => !distinct.has(code)).length +
      [...distinct].filter((code) => !made.has(code)).length,
    twice: recorded.length - distinct.size,
    openIntents: await openIntentsOf(service, siteId),
  };
};

const countOf = (texts: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
};
