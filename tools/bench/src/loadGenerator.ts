import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { startChildProgram } from './processes.js';
import type { BenchRequest } from './requests.js';
import type { Workspace } from './workspace.js';

/** What came of one contestant under load for some seconds. */
export interface Load {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly completed: number;
  /** Answers with another status than 2xx, and connections that broke. Any of them makes the figures invalid. */
  readonly failures: number;
  /** Bytes received per answer, headers included; 0 where nothing was received. */
  readonly bytesPerAnswer: number;
}

/** Sends one request again and again over its keep-alive connections, from its own process. */
export interface LoadGenerator {
  readonly name: 'wrk' | 'autocannon';
  run(url: string, request: BenchRequest, seconds: number): Promise<Load>;
}

/** wrk where it is installed, because it takes the least from the machine; autocannon comes with us. */
export const chooseGenerator = async (
  workspace: Workspace,
  wanted: LoadGenerator['name'] | undefined,
): Promise<LoadGenerator> => {
  if (wanted !== 'autocannon' && (await findWrk())) return makeWrk(workspace);
  if (wanted === 'wrk') throw new Error('wrk is not installed');
  return makeAutocannon(workspace);
};

interface Summary {
  requests: number;
  microseconds: number;
  bytes: number;
  failures: number;
  p50: number;
  p99: number;
}

const findWrk = async (): Promise<boolean> => {
  try {
    await promisify(execFile)('wrk', ['--version']);
    return true;
  } catch (error) {
    // It prints its version and ends with 1; only a missing program has a code that is a text.
    return typeof error === 'object' && error !== null && 'code' in error && error.code === 1;
  }
};

const makeWrk = (workspace: Workspace): LoadGenerator => ({
  name: 'wrk',
  run: async (url, request, seconds) => {
    const script = join(workspace.dir, `${request.name}.lua`);
    await writeFile(script, luaFor(request));
    const args = ['-t1', `-c${request.connections}`, `-d${seconds}s`, '--latency', '-s', script, url];
    const child = workspace.adopt(spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] }));
    const ended = once(child, 'exit');
    const output = await text(child.stdout);
    await ended;
    return readLoad(output);
  },
});

/** The script's own summary, after what wrk prints for people. */
const readLoad = (output: string): Load => {
  const line = output.split('\n').find((candidate) => candidate.startsWith('{'));
  if (line === undefined) throw new Error(`wrk gave no summary: ${output}`);
  const summary = JSON.parse(line) as Summary;
  return {
    requestsPerSecond: summary.requests / (summary.microseconds / 1e6),
    p50Ms: summary.p50 / 1000,
    p99Ms: summary.p99 / 1000,
    completed: summary.requests,
    failures: summary.failures,
    bytesPerAnswer: summary.requests === 0 ? 0 : summary.bytes / summary.requests,
  };
};

/**
 * One variant is set once and costs wrk nothing per request; several are formatted beforehand and sent in turns.
 * wrk counts statuses above 399 by itself; looking at each status in Lua would slow it down.
 */
const luaFor = ({ method, headers, variants }: BenchRequest): string => `
local variants = {
${variants.map(({ path, body }) => `  { ${quote(path)}, ${body === undefined ? 'nil' : quote(body)} },`).join('\n')}
}
wrk.method = ${quote(method)}
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[ ${quote(name)} ] = ${quote(value)}`)
  .join('\n')}
${variants.length === 1 ? oneVariant : manyVariants}
done = function(summary, latency)
  local e = summary.errors
  print(string.format('{"requests":%d,"microseconds":%d,"bytes":%d,"failures":%d,"p50":%d,"p99":%d}',
    summary.requests, summary.duration, summary.bytes, e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50), latency:percentile(99)))
end
`;

const oneVariant = 'wrk.path, wrk.body = variants[1][1], variants[1][2]';

const manyVariants = `
local ready, turn = {}, 0
init = function(args)
  for i, variant in ipairs(variants) do ready[i] = wrk.format(nil, variant[1], nil, variant[2]) end
end
request = function()
  turn = turn % #ready + 1
  return ready[turn]
end`;

const quote = (value: string): string => `[==[${value}]==]`;

/** The settings for the child process that runs autocannon. */
export interface AutocannonOrder {
  readonly url: string;
  readonly request: BenchRequest;
  readonly seconds: number;
}

/** autocannon in a process of its own, so that it shares its event loop with nobody. */
const makeAutocannon = (workspace: Workspace): LoadGenerator => ({
  name: 'autocannon',
  run: async (url, request, seconds) => {
    const program = await startChildProgram<'ready'>(workspace, 'autocannon');
    try {
      return await program.ask<Load>({ url, request, seconds } satisfies AutocannonOrder);
    } finally {
      await program.stop();
    }
  },
});
