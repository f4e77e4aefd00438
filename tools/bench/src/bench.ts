import { cpus } from 'node:os';
import { measureHung } from './hungController.js';
import { measureLists } from './lists.js';
import { chooseGenerator, type LoadGenerator } from './loadGenerator.js';
import { measureMemory } from './memory.js';
import type { BenchOptions, BenchPart } from './options.js';
import { makeRequests } from './requests.js';
import type { RequestResult } from './results.js';
import { measureRequest } from './rounds.js';
import { seedData, usualSize } from './seededData.js';
import { measureStartup } from './startup.js';
import { judgeTargets, type BenchTarget, type Measured } from './targets.js';
import { measureWebhooks } from './webhooks.js';
import type { Workspace } from './workspace.js';

/** Everything that one run found out. */
export interface BenchReport extends Measured {
  readonly machine: {
    readonly node: string;
    readonly database: BenchOptions['database'];
    readonly cpus: number;
    readonly generator: LoadGenerator['name'];
  };
  readonly rounds: number;
  readonly seconds: number;
  readonly targets: readonly BenchTarget[];
  /** Any of them makes the run invalid. */
  readonly faults: readonly string[];
}

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
  const data = await seedData(workspace, sizes, options);
  const deps = { workspace, generator, data };

  const known = makeRequests(data.keys);
  const requests: RequestResult[] = [];
  for (const request of Object.values(known).filter(({ name }) => wants(name))) {
    say(`${request.title}: ${options.rounds} × 3 × ${options.seconds} s`);
    requests.push(await measureRequest(deps, request, options));
  }
  if (wants('lists')) say('lists by number of vouchers');
  const lists = wants('lists')
    ? await measureLists({ ...deps, request: known.vouchers, listSizes }, options)
    : [];
  if (wants('webhooks')) say(`webhooks: ${options.rounds} × 2 × ${options.seconds} s`);
  const webhooks = wants('webhooks') ? await measureWebhooks(deps, known.create, options) : undefined;
  if (wants('hung')) say(`a controller that hangs: ${options.rounds} × 4 × ${options.seconds} s`);
  const hung = wants('hung') ? await measureHung(deps, [known.create, known.vouchers], options) : [];
  if (wants('startup')) say('start-up');
  const startup = wants('startup') ? await measureStartup(workspace, data, options) : undefined;
  if (wants('memory')) say(`memory: ${options.memorySeconds} s`);
  const memory = wants('memory')
    ? await measureMemory(deps, [known.vouchers, known.create], options)
    : undefined;
  await data.close();
  const measured = { requests, lists, webhooks, hung, startup, memory };
  return {
    machine: {
      node: process.version,
      database: options.database,
      cpus: cpus().length,
      generator: generator.name,
    },
    rounds: options.rounds,
    seconds: options.seconds,
    ...measured,
    targets: judgeTargets(measured),
    faults: [
      ...requests,
      ...lists,
      ...hung,
      ...(webhooks ? [webhooks] : []),
      ...(memory ? [memory] : []),
    ].flatMap(({ faults }) => faults),
  };
};
