import { copyFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { measureHung, type HungResult } from './hungController.js';
import { measureLists, type ListResult } from './lists.js';
import { chooseGenerator, connections, type LoadGenerator } from './loadGenerator.js';
import type { BenchOptions, BenchPart } from './options.js';
import { makeRequests } from './requests.js';
import type { RequestResult } from './results.js';
import { measureRequest } from './rounds.js';
import { openSeed } from './seed.js';
import { measureStartup, type StartupResult } from './startup.js';
import { judgeTargets, type BenchTarget } from './targets.js';
import { measureWebhooks, type WebhookResult } from './webhooks.js';
import type { Workspace } from './workspace.js';

/** Everything that one run found out. */
export interface BenchReport {
  readonly machine: {
    readonly node: string;
    readonly cpus: number;
    readonly generator: LoadGenerator['name'];
  };
  readonly connections: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly requests: readonly RequestResult[];
  readonly lists: readonly ListResult[];
  readonly webhooks: WebhookResult | undefined;
  readonly hung: readonly HungResult[];
  readonly startup: StartupResult | undefined;
  readonly targets: readonly BenchTarget[];
  /** Any of them makes the run invalid. */
  readonly faults: readonly string[];
}

const usualSize = 100_000;
const listSizes = [10_000, usualSize, 1_000_000];

/** Seeds the data, then measures one part after the other. */
export const bench = async (
  workspace: Workspace,
  options: BenchOptions,
  say: (text: string) => void,
): Promise<BenchReport> => {
  const generator = await chooseGenerator(workspace, options.generator);
  const wants = (part: BenchPart): boolean => options.only.includes(part);
  const sizes = wants('lists') ? listSizes : [usualSize];
  say(`seeding ${sizes.map((size) => size.toLocaleString('en')).join(', ')} vouchers`);
  const { key, dataFiles } = await seed(workspace, sizes);
  const dataFile = dataFiles.get(usualSize) ?? '';

  const known = makeRequests(key);
  const requests: RequestResult[] = [];
  for (const request of Object.values(known).filter(({ name }) => wants(name))) {
    say(`${request.title}: ${options.rounds} × 3 × ${options.seconds} s`);
    requests.push(await measureRequest({ workspace, generator, dataFile }, request, options));
  }
  if (wants('lists')) say('lists by number of vouchers');
  const lists = wants('lists')
    ? await measureLists({ workspace, generator, request: known.vouchers, dataFiles }, options)
    : [];
  if (wants('webhooks')) say(`webhooks: ${options.rounds} × 2 × ${options.seconds} s`);
  const webhooks = wants('webhooks')
    ? await measureWebhooks({ workspace, generator, dataFile }, known.create, options)
    : undefined;
  if (wants('hung')) say(`a controller that hangs: ${options.rounds} × 4 × ${options.seconds} s`);
  const hung = wants('hung')
    ? await measureHung({ workspace, generator, dataFile }, [known.create, known.vouchers], options)
    : [];
  if (wants('startup')) say('start-up');
  const startup = wants('startup') ? await measureStartup(workspace, dataFile, options) : undefined;
  return {
    machine: { node: process.version, cpus: cpus().length, generator: generator.name },
    connections,
    rounds: options.rounds,
    seconds: options.seconds,
    requests,
    lists,
    webhooks,
    hung,
    startup,
    targets: judgeTargets(requests, lists, webhooks, hung),
    faults: [...requests, ...lists, ...hung, ...(webhooks ? [webhooks] : [])].flatMap(({ faults }) => faults),
  };
};

/** One data file that grows, copied at each size. */
const seed = async (
  workspace: Workspace,
  sizes: readonly number[],
): Promise<{ key: string; dataFiles: Map<number, string> }> => {
  const file = join(workspace.dir, 'seed.sqlite');
  const seeding = await openSeed(file);
  const dataFiles = new Map<number, string>();
  for (const size of sizes) {
    await seeding.grow(size);
    const copy = join(workspace.dir, `seed-${size}.sqlite`);
    await copyFile(file, copy);
    dataFiles.set(size, copy);
  }
  await seeding.close();
  return { key: seeding.key, dataFiles };
};
