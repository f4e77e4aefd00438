import { startUnifiConsole, type ConsoleOptions, type UnifiConsole } from '../../simulators/unifi/console.js';
import type { Ended } from './cli.js';
import { randomSecret } from './planted.js';
import { makeWebhookCli, type WebhookCli } from './webhookCli.js';

/** The kinds that a console can be added as. */
export type ConsoleKind = 'unifi' | 'unifi-classic';

/** Commands on a database of their own, beside a console on a socket. */
export interface ConsoleCli extends Omit<WebhookCli, 'add'> {
  readonly unifi: UnifiConsole;
  /** Adds the console as a controller, with its secret in a variable. Without options its certificate is pinned. */
  add(name: string, kind: ConsoleKind, ...options: string[]): Promise<Ended>;
  /** Which secrets were printed, or can be read in a file of the database. */
  secretsLeaked(): Promise<string[]>;
}

/** Secrets that nobody may ever see; the options of a command name the variables that hold them. */
export const planted = {
  apiKey: randomSecret(),
  password: randomSecret(),
  wrong: randomSecret(),
};

/** Where each kind takes its secret from. */
export const credentialOptions: Readonly<Record<ConsoleKind, readonly string[]>> = {
  unifi: ['--api-key-env', 'API_KEY'],
  'unifi-classic': ['--username', 'voucherd', '--password-env', 'PASSWORD'],
};

export const makeConsoleCli = async (
  console: ConsoleOptions = {},
  settings: Record<string, string> = {},
): Promise<ConsoleCli> => {
  const { apiKey, password, wrong } = planted;
  // Every command signs in by itself.
  const unifi = await startUnifiConsole({ apiKey, password, loginLimit: 1000, ...console });
  const cli = await makeWebhookCli({ API_KEY: apiKey, PASSWORD: password, WRONG: wrong, ...settings });
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
    secretsLeaked: () => cli.leaked([...Object.values(planted), ...unifi.tokens]),
    remove: async () => {
      await cli.remove();
      await unifi.stop();
    },
  };
};
