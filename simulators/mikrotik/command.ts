import { Option, type Command } from 'commander';
import { CommandError, parseWholeNumber, type Io } from '../../src/cli/io.js';
import { toQuotedWord } from '../../src/lib/commandLine.js';
import type { Signals } from '../../src/lib/signals.js';
import { collect, readOffset, runSimulatedController } from '../simulatedController.js';
import { startMikrotikRouter, type MikrotikRouter } from './router.js';
import type { SimulatedMikrotikOptions } from './settings.js';

interface MikrotikCommandOptions {
  host: string;
  port: string;
  server?: string[];
  version?: string;
  userManager: 'absent' | 'off' | 'on';
  readOnly?: boolean;
  clockOffsetS?: string;
  seed?: string;
  json?: boolean;
}

/** `voucherd-simulator mikrotik`: a router that runs until it is stopped. */
export const addMikrotikCommand = (program: Command, io: Io, signals: Signals): void => {
  program
    .command('mikrotik')
    .description('Start a simulated MikroTik router with RouterOS 7 and say how voucherd reaches it')
    .option('--host <address>', 'where it listens', '127.0.0.1')
    .option('--port <number>', 'where it listens; 0 is any free port', '8444')
    .option('--server <name>', 'a hotspot server; may be repeated (default: hotspot1)', collect)
    .option('--version <version>', 'version of RouterOS; before 7.10 it writes dates in another way')
    .addOption(
      new Option('--user-manager <state>', 'whether User Manager is installed, and in use')
        .choices(['absent', 'off', 'on'])
        .default('absent'),
    )
    .option('--read-only', 'the account may not change anything')
    .option('--clock-offset-s <number>', 'by how many seconds its clock is wrong; may be negative')
    .option('--seed <number>', 'begins with that many users of the hotspot that voucherd has not made')
    .option('--json', 'print address, certificate and credentials as JSON')
    .action((given: MikrotikCommandOptions) => runRouter(io, signals, given));
};

const runRouter = async (io: Io, signals: Signals, given: MikrotikCommandOptions): Promise<void> => {
  const options = readOptions(given);
  await runSimulatedController({
    io,
    signals,
    given,
    start: () => startMikrotikRouter(options),
    describe: ({ url, fingerprint, certificate, username, password, servers }) => ({
      url,
      fingerprint,
      certificate,
      username,
      password,
      servers,
    }),
    introduce: (running) => introduction(running, given),
  });
};

const readOptions = (given: MikrotikCommandOptions): SimulatedMikrotikOptions => {
  const { host, server, version, userManager } = given;
  const offsetMs = readOffset(given.clockOffsetS) * 1000;
  if (version !== undefined && !/^7\.\d{1,3}(\.\d{1,3})?$/.test(version))
    throw new CommandError('option-invalid', `--version: "${version}" is not allowed: such as 7.16.1`);
  return {
    host,
    port: parseWholeNumber('--port', given.port, 0, 65_535),
    userManager,
    readOnly: given.readOnly ?? false,
    clock: () => Date.now() + offsetMs,
    ...(server && { servers: server }),
    ...(version !== undefined && { version }),
  };
};

/** Describes the router and prints the commands that add it to voucherd. */
const introduction = (
  { url, fingerprint, username, password, servers }: MikrotikRouter,
  { userManager }: MikrotikCommandOptions,
): string => {
  const addSites = servers
    .map((name) => {
      const word = toQuotedWord(name);
      return `  npx voucherd site add --name ${word} --controller Router --controller-site ${word}\n`;
    })
    .join('');
  return `Simulated MikroTik router (${userManager === 'on' ? 'User Manager' : 'hotspot users'})

  address      ${url}
  fingerprint  ${fingerprint}
  user         ${username}
  password     ${password}

Its vouchers, and faults to choose from: ${url}/simulator

Add it:

  PASSWORD=${password} npx voucherd controller add --name Router --kind mikrotik --url ${url} --fingerprint ${fingerprint} --username ${username} --password-env PASSWORD
${addSites}
`;
};
