import type { Command } from 'commander';
import { readConfig } from '../../config/config.js';
import type { Contract, Operation } from '../../contract/contract.js';
import { toQuotedWord } from '../../lib/commandLine.js';
import { openLog } from '../../log/log.js';
import { CommandError, parseWholeNumber, type Io } from '../io.js';
import { stopGracefully, waitForSignal, type Signals } from '../../lib/signals.js';

interface MockOptions {
  port?: string;
  contract?: string;
  dynamic?: boolean;
  seed?: string;
  json?: boolean;
}

/** Adds the options of `mock`, which answers from a contract alone. */
export const addMockCommand = (mock: Command, io: Io, signals: Signals = process): void => {
  mock
    .option('--port <number>', 'where to listen; 0 for any free port (default: PORT)')
    .option('--contract <file>', 'another contract than the one that comes with the program')
    .option(
      '--dynamic',
      'generate answers from the schemas instead of the examples, and list what was created',
    )
    .option('--seed <number>', 'with --dynamic: the same seed gives the same answers (default: 1)')
    .option('--json', 'print the address as JSON when it listens, and nothing else')
    .action(async (options: MockOptions) => {
      const seed = parseSeed(options);
      const config = readConfig(withPort(io.env, options));
      const { log, end } = await openLog(config.logLevel);
      try {
        const { startMockServer } = await import('./mockServer.js');
        const obeysServerPath = !io.env['BASE_PATH'];
        const { contract, url, stop } = await startMockServer(
          {
            file: options.contract,
            seed,
            obeysServerPath,
            ...(options.port !== undefined && { portName: '--port' }),
          },
          config,
          log,
        );
        const introduction = formatIntroduction(contract, url, seed);
        io.out(options.json ? `${JSON.stringify({ url })}\n` : introduction);
        await waitForSignal(signals);
        await stopGracefully(stop, signals, {
          deadlineMs: config.stopDeadlineMs,
          onDeadline: () => log.error('shutdown deadline exceeded: exiting with requests in flight'),
        });
      } finally {
        end();
      }
    });
};

const withPort = (env: Io['env'], { port }: MockOptions): Io['env'] =>
  port === undefined ? env : { ...env, PORT: String(parseWholeNumber('--port', port, 0, 65_535)) };

const maxSeed = 2 ** 32 - 1;

const parseSeed = ({ dynamic, seed }: MockOptions): number | undefined => {
  if (!dynamic && seed !== undefined)
    throw new CommandError('options-conflict', '--seed means something only with --dynamic');
  if (!dynamic) return undefined;
  return seed === undefined ? 1 : parseWholeNumber('--seed', seed, 0, maxSeed);
};

const formatIntroduction = (
  { operations, resolved }: Contract,
  base: string,
  seed: number | undefined,
): string => {
  const answers =
    seed === undefined
      ? 'every answer is an example of the contract'
      : `answers are generated from the schemas of the contract, with seed ${String(seed)}`;
  const all = [...operations.values()].map(({ id, location: [, path, method], definition }) => ({
    request: `${String(method).toUpperCase().padEnd(6)} ${base}${String(path)}`,
    statuses: `${id}: ${Object.keys(definition.responses).join(' ')}`,
  }));
  const width = Math.max(0, ...all.map(({ request }) => request.length));
  const lines = all.map(({ request, statuses }) => `  ${request.padEnd(width)}  ${statuses}\n`);
  return `
${resolved.info.title}, mocked: ${answers}. No key is needed.

${lines.join('')}
${formatPreferences([...operations.values()])}
Stop with Ctrl-C.

`;
};

/** Headers that work with this contract: not every one has examples with names. */
const formatPreferences = (operations: readonly Operation[]): string => {
  const responses = operations.flatMap(({ definition }) => Object.entries(definition.responses));
  const statuses = responses.map(([status]) => status);
  const status = statuses.find((one) => one === '404') ?? statuses.find((one) => Number(one) >= 400);
  const [name] = responses.flatMap(([, { content }]) =>
    Object.values(content ?? {}).flatMap(({ examples }) => Object.keys(examples ?? {})),
  );
  const headers = [
    ...(status === undefined ? [] : [`-H ${toQuotedWord(`Prefer: code=${status}`)}`]),
    ...(name === undefined ? [] : [`-H ${toQuotedWord(`Prefer: example=${name}`)}`]),
  ];
  const what = name === undefined ? 'the status' : 'the status, or an example by its name';
  return headers.length === 0 ? '' : `Prefer chooses ${what}: ${headers.join(', ')}`;
};
