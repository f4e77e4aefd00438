import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import type { ConsoleOptions } from '../../simulators/unifi/settings.js';
import type { Ended } from './cli.js';
import { makeCliFixture, type CliFixture } from './cliFixture.js';
import { randomSecret } from './secretLeaks.js';

/** The kinds that a console can be added as. */
export type ConsoleKind = 'unifi' | 'unifi-classic';

/** Commands on a database of their own, beside a console on a socket. */
export interface ConsoleCliFixture extends Omit<CliFixture, 'add'> {
  readonly unifi: UnifiConsole;
  /** Adds the console as a controller, with its secret in a variable. Without options its certificate is pinned. */
  add(name: string, kind: ConsoleKind, ...options: string[]): Promise<Ended>;
  /** Which secrets were printed, or can be read in a file of the database. */
  secretsLeaked(): Promise<string[]>;
}

/** Secrets that nobody may ever see; the options of a command name the variables that hold them. */
export const plantedCredentials = {
  apiKey: randomSecret(),
  password: randomSecret(),
  wrong: randomSecret(),
};

/** Where each kind takes its secret from. */
export const credentialOptions: Readonly<Record<ConsoleKind, readonly string[]>> = {
  unifi: ['--api-key-env', 'API_KEY'],
  'unifi-classic': ['--username', 'voucherd', '--password-env', 'PASSWORD'],
};

export const makeConsoleCliFixture = async (
  console: ConsoleOptions = {},
  settings: Record<string, string> = {},
): Promise<ConsoleCliFixture> => {
  const { apiKey, password, wrong } = plantedCredentials;
  // Every command signs in by itself.
  const unifi = await startUnifiConsole({ apiKey, password, loginLimit: 1000, ...console });
  const cli = await makeCliFixture({ API_KEY: apiKey, PASSWORD: password, WRONG: wrong, ...settings });
  return {
    ...cli,
    unifi,
    add: (name, kind, ...options) =>
      cli.voucherd(
        // Several controllers of a test may lead to its one console.
        ...['controller', 'add', '--force', '--name', name, '--kind', kind, '--url', unifi.url],
        ...(options.length > 0 ? options : ['--fingerprint', unifi.fingerprint]),
        ...credentialOptions[kind],
      ),
    secretsLeaked: () => cli.leaked([...Object.values(plantedCredentials), ...unifi.tokens]),
    remove: async () => {
      await cli.remove();
      await unifi.stop();
    },
  };
};
