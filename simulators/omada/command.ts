import { Option, type Command } from 'commander';
import { CommandError, parseWholeNumber, type Io } from '../../src/cli/io.js';
import { toQuotedWord } from '../../src/lib/commandLine.js';
import type { Signals } from '../../src/lib/signals.js';
import { collect, optionalNumber, readOffset, runSimulatedController } from '../simulatedController.js';
import { startOmadaController, type OmadaController } from './controller.js';
import { newOmadaId, type SimulatedOmadaOptions } from './settings.js';

interface OmadaCommandOptions {
  host: string;
  port: string;
  site?: string[];
  version?: string;
  codeMode?: boolean;
  readOnly?: boolean;
  tokenMinutes?: string;
  requestsPerSecond: string;
  capacity?: string;
  unknownDelete: 'ok' | 'error';
  hideNewMs?: string;
  clockOffsetS?: string;
  seed?: string;
  json?: boolean;
}

/** `voucherd-simulator omada`: a controller that runs until it is stopped. */
export const addOmadaCommand = (program: Command, io: Io, signals: Signals): void => {
  program
    .command('omada')
    .description('Start a simulated TP-Link Omada controller and say how voucherd reaches it')
    .option('--host <address>', 'where it listens', '127.0.0.1')
    .option('--port <number>', 'where it listens; 0 is any free port', '8043')
    .option('--site <name>', 'a site; may be repeated (default: Default)', collect)
    .option('--version <version>', 'version of the controller; below 5.9 it has no Open API')
    .option('--code-mode', 'the application is in authorization code mode')
    .option('--read-only', 'the application may only view')
    .option('--token-minutes <number>', 'how long a token lasts (default: 120)')
    .option('--requests-per-second <number>', 'how many it answers; more get 429', '10')
    .option('--capacity <number>', 'the most vouchers of a site')
    .addOption(
      new Option('--unknown-delete <answer>', 'what deleting an unknown voucher answers')
        .choices(['error', 'ok'])
        .default('error'),
    )
    .option('--hide-new-ms <number>', 'how long it does not list the codes of a new group')
    .option('--clock-offset-s <number>', 'by how many seconds its clock is wrong; may be negative')
    .option('--seed <number>', 'begins with that many groups of one voucher')
    .option('--json', 'print address, certificate and credentials as JSON')
    .action((given: OmadaCommandOptions) => runController(io, signals, given));
};

const runController = async (io: Io, signals: Signals, given: OmadaCommandOptions): Promise<void> => {
  const options = readOptions(given);
  await runSimulatedController({
    io,
    signals,
    given,
    start: () => startOmadaController(options),
    describe: ({ url, fingerprint, certificate, omadacId, clientId, clientSecret, sites }) => ({
      url,
      fingerprint,
      certificate,
      omadacId,
      clientId,
      clientSecret,
      sites,
    }),
    introduce: (running) => introduction(running, options.version),
  });
};

const readOptions = (given: OmadaCommandOptions): SimulatedOmadaOptions => {
  const { host, site, version, unknownDelete } = given;
  const tokenMinutes = optionalNumber('--token-minutes', given.tokenMinutes, 100_000);
  const capacity = optionalNumber('--capacity', given.capacity, 1_000_000);
  const hideNewMs = optionalNumber('--hide-new-ms', given.hideNewMs, 3_600_000);
  const offsetMs = readOffset(given.clockOffsetS) * 1000;
  return {
    host,
    port: parseWholeNumber('--port', given.port, 0, 65_535),
    codeMode: given.codeMode ?? false,
    readOnly: given.readOnly ?? false,
    unknownDelete,
    requestsPerSecond: parseWholeNumber('--requests-per-second', given.requestsPerSecond, 1, 1_000_000),
    clock: () => Date.now() + offsetMs,
    ...(site && { sites: site.map((name) => ({ id: newOmadaId(), name })) }),
    ...(version !== undefined && { version: readVersion(version) }),
    ...(tokenMinutes !== undefined && { tokenTtlMs: tokenMinutes * 60_000 }),
    ...(capacity !== undefined && { capacity }),
    ...(hideNewMs !== undefined && { hideNewMs }),
  };
};

const readVersion = (text: string): string => {
  if (!/^\d+(\.\d+){1,3}$/.test(text))
    throw new CommandError('option-invalid', `--version: "${text}" is not allowed: numbers such as 6.1.0.19`);
  return text;
};

/** Describes the controller and prints the commands that add it to voucherd. */
const introduction = (running: OmadaController, version: string | undefined): string => {
  const { url, fingerprint, clientId, clientSecret, sites } = running;
  const addSites = sites
    .map(
      ({ id, name }) =>
        `  npx voucherd site add --name ${toQuotedWord(name)} --controller Omada --controller-site ${id}\n`,
    )
    .join('');
  return `Simulated TP-Link Omada controller${version === undefined ? '' : ` (${version})`}

  address        ${url}
  fingerprint    ${fingerprint}
  client ID      ${clientId}
  client secret  ${clientSecret}

Its vouchers, and faults to choose from: ${url}/simulator

Add it:

  SECRET=${clientSecret} npx voucherd controller add --name Omada --kind omada --url ${url} --fingerprint ${fingerprint} --client-id ${clientId} --client-secret-env SECRET
${addSites}
`;
};
