import { behaviours, startWebhookTarget } from '../../../simulators/webhookTarget.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { generateSigningSecret } from '../../../src/webhooks/formats/generic.js';
import { sealWebhook } from '../../../src/webhooks/webhooks.js';
import { readSecretKey } from '../../../src/secrets/secretKey.js';
import { makeSecrets } from '../../../src/secrets/encryption.js';
import { openDatabase } from '../../../src/database/database.js';
import { makeTables } from '../../../src/app/tables.js';
import type { BenchDeps } from './contestants.js';
import type { Load } from './loadGenerator.js';
import type { BenchOptions } from './options.js';
import { startVoucherd, type ServerProcess } from './processes.js';
import { sendFirstVariant, type BenchRequest } from './requests.js';
import { median } from './results.js';
import { rotated } from './rounds.js';
import type { DataCopy } from './seededData.js';
import { answerFaults, countRecorded, loadFaults, recordedFaults } from './verification.js';

/** Creations with a webhook that hangs beside creations without any. */
export interface WebhookResult {
  readonly withHanging: WebhookFigures;
  readonly withNone: WebhookFigures;
  /** The median p99 of the one as a multiple of the other's. */
  readonly p99Ratio: number;
  /** What makes the figures invalid. */
  readonly faults: readonly string[];
}

export interface WebhookFigures {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Entrant {
  readonly name: 'a webhook that hangs' | 'no webhook';
  readonly server: ServerProcess;
  readonly databaseUrl: string;
  readonly loads: Load[];
  answered: number;
}

/**
 * Shorter and more than elsewhere: one moment in which the machine does something else makes the p99 of a whole
 * measurement, and the median of many forgets it.
 */
const sliceSeconds = 1;

/** Measures creations of two processes side by side in interleaved rounds. */
export const measureWebhooks = async (
  deps: BenchDeps,
  request: BenchRequest,
  { rounds, seconds, warmUpSeconds }: BenchOptions,
): Promise<WebhookResult> => {
  const target = await startWebhookTarget({ otherwise: behaviours.hang });
  try {
    const hanging = await enter(deps, 'a webhook that hangs', target.url);
    const none = await enter(deps, 'no webhook');
    const faults: string[] = [];
    const measure = async (entrant: Entrant, duration: number): Promise<Load> => {
      const load = await deps.generator.run(entrant.server.url, request, duration);
      entrant.answered += load.completed;
      faults.push(...loadFaults(load, undefined).map((fault) => `webhooks, ${entrant.name}: ${fault}`));
      return load;
    };
    for (const entrant of [hanging, none]) {
      const answer = await sendFirstVariant(entrant.server.url, request);
      faults.push(...answerFaults(request, answer).map((fault) => `webhooks, ${entrant.name}: ${fault}`));
      await measure(entrant, warmUpSeconds);
    }
    for (let slice = 0; slice < rounds * seconds; slice++) {
      for (const entrant of rotated([hanging, none], slice))
        entrant.loads.push(await measure(entrant, sliceSeconds));
    }
    if (target.requests.length === 0) faults.push('webhooks: the target that hangs was sent nothing');
    const before = await countRecorded((await deps.data.copy()).databaseUrl);
    for (const { name, databaseUrl, answered, server } of [hanging, none]) {
      faults.push(...recordedFaults(name, before, await countRecorded(databaseUrl), answered));
      await server.stop();
    }
    const [withHanging, withNone] = [figuresOf(hanging), figuresOf(none)];
    return { withHanging, withNone, p99Ratio: withHanging.p99Ms / withNone.p99Ms, faults };
  } finally {
    await target.stop();
  }
};

const enter = async (
  { workspace, data }: BenchDeps,
  name: Entrant['name'],
  address?: string,
): Promise<Entrant> => {
  const copy = await data.copy();
  if (address !== undefined) await addWebhook(copy, address);
  const server = await startVoucherd(workspace, copy, { WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' });
  return { name, server, databaseUrl: copy.databaseUrl, loads: [], answered: 0 };
};

const addWebhook = async ({ folder, databaseUrl }: DataCopy, address: string): Promise<void> => {
  const secrets = makeSecrets(readSecretKey({ secretKey: undefined, dataDir: folder }), nodeSystem);
  const order = { name: 'Bench', format: 'generic', language: 'de', address } as const;
  const database = openDatabase(databaseUrl);
  try {
    const secret = generateSigningSecret(nodeSystem);
    await makeTables(database).webhooks.add(sealWebhook({ ...order, secret }, secrets, nodeSystem.now()));
  } finally {
    await database.close();
  }
};

const figuresOf = ({ loads }: Entrant): WebhookFigures => ({
  requestsPerSecond: median(loads.map(({ requestsPerSecond }) => requestsPerSecond)),
  p50Ms: median(loads.map(({ p50Ms }) => p50Ms)),
  p99Ms: median(loads.map(({ p99Ms }) => p99Ms)),
});
