import { request as httpRequest } from 'node:http';
import { startUnifiConsole, type UnifiConsole } from '../../../simulators/unifi/console.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { openSecrets } from '../../../src/secrets/secretKey.js';
import { sealCredentials } from '../../../src/secrets/encryption.js';
import { openDatabase } from '../../../src/database/database.js';
import { makeTables } from '../../../src/app/tables.js';
import type { BenchDeps } from './contestants.js';
import type { Load } from './loadGenerator.js';
import type { BenchOptions } from './options.js';
import { startVoucherd } from './processes.js';
import type { BenchRequest } from './requests.js';
import { median } from './results.js';
import { loadFaults } from './verification.js';
import type { DataCopy } from './seededData.js';

/** One request while the orders of another site run into a controller that hangs, beside the same without. */
export interface HungResult {
  readonly title: string;
  readonly withHungP99Ms: number;
  readonly withoutP99Ms: number;
  readonly p99Ratio: number;
  /** What makes the figures invalid. */
  readonly faults: readonly string[];
}

/** Orders of the hung site: enough to keep its breaker busy, too few to be a load of their own. */
const ordersEachSecond = 20;
/** One moment in which the machine does something else makes the p99 of a whole measurement; many short ones forget it. */
const sliceSeconds = 1;

/** Measures the requests in slices of one process, in turns with and without orders of the hung site. */
export const measureHung = async (
  { workspace, generator, data }: BenchDeps,
  requests: readonly BenchRequest[],
  { rounds, seconds, warmUpSeconds }: BenchOptions,
): Promise<HungResult[]> => {
  const console = await startUnifiConsole();
  const copy = await data.copy();
  const siteId = await addHungSite(copy, console);
  const server = await startVoucherd(workspace, copy, { CONTROLLER_DEADLINE_S: '2' });
  console.fault({ kind: 'hang', on: 'all' });
  const results: HungResult[] = [];
  try {
    for (const request of requests) {
      const faults: string[] = [];
      const measure = async (duration: number): Promise<Load> => {
        const load = await generator.run(server.url, request, duration);
        faults.push(...loadFaults(load, undefined).map((fault) => `hung, ${request.title}: ${fault}`));
        return load;
      };
      await measure(warmUpSeconds);
      const [hung, calm]: [number[], number[]] = [[], []];
      for (let slice = 0; slice < rounds * seconds; slice++) {
        calm.push((await measure(sliceSeconds)).p99Ms);
        const orders = keepOrdering(server.url, request.headers, siteId);
        hung.push((await measure(sliceSeconds)).p99Ms);
        const statuses = await orders.stop();
        if (statuses.size === 0)
          faults.push(`hung, ${request.title}: no order of the hung site was answered`);
        if (statuses.has(201)) faults.push(`hung, ${request.title}: the hung controller made a voucher`);
      }
      const [withHungP99Ms, withoutP99Ms] = [median(hung), median(calm)];
      const { title } = request;
      results.push({ title, withHungP99Ms, withoutP99Ms, p99Ratio: withHungP99Ms / withoutP99Ms, faults });
    }
  } finally {
    await server.stop();
    await console.stop();
  }
  return results;
};

const addHungSite = async ({ folder, databaseUrl }: DataCopy, console: UnifiConsole): Promise<number> => {
  const secrets = openSecrets({ secretKey: undefined, dataDir: folder });
  const database = openDatabase(databaseUrl);
  try {
    const { controllers, sites } = makeTables(database);
    const now = nodeSystem.now();
    const kind = 'unifi';
    const settings = { url: console.url, fingerprint: console.fingerprint };
    const sealedCredentials = sealCredentials(secrets, { kind, settings }, { apiKey: console.apiKey });
    const controllerId = await controllers.add({ name: 'Hängt', kind, settings, sealedCredentials }, now);
    return await sites.add({ name: 'Hängt', active: true, controllerId, controllerSite: null }, now);
  } finally {
    await database.close();
  }
};

/** Sends orders at an even pace; stopping waits for the last answer and tells which statuses there were. */
const keepOrdering = (
  url: string,
  headers: BenchRequest['headers'],
  siteId: number,
): { stop(): Promise<ReadonlySet<number>> } => {
  const statuses = new Set<number>();
  const under: Promise<void>[] = [];
  const body = JSON.stringify({ site_id: siteId, name: 'Hängt' });
  const order = (): Promise<void> =>
    new Promise((resolve) => {
      const sent = httpRequest(`${url}/vouchers.php`, { method: 'POST', headers }, (answer) => {
        statuses.add(answer.statusCode ?? 0);
        answer.resume().once('end', resolve);
      });
      sent.once('error', () => {
        resolve();
      });
      sent.end(body);
    });
  const timer = setInterval(() => void under.push(order()), 1000 / ordersEachSecond);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(under);
      return statuses;
    },
  };
};
