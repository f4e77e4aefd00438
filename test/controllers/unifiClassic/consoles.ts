import { afterEach } from '@jest/globals';
import {
  startUnifiConsole,
  type ConsoleOptions,
  type UnifiConsole,
  type Variant,
} from '../../../simulators/unifi/console.js';
import type { Controller } from '../../../src/controllers/controller.js';
import {
  makeUnifiClassic,
  type UnifiClassicOptions,
} from '../../../src/controllers/unifiClassic/unifiClassic.js';
import { someSurroundings } from '../../support/surroundings.js';
import { startScripted, type Scripted, type ScriptOptions } from './scripted.js';

export const variants: readonly Variant[] = ['self-hosted', 'unifi-os'];

/** Something that looks like a controller. */
type Reachable = Pick<UnifiConsole, 'url' | 'fingerprint' | 'username' | 'password'>;

/** An adapter as the service makes it, connected to a console. */
export const connectTo = (
  { url, fingerprint, username, password }: Reachable,
  values: Partial<UnifiClassicOptions> = {},
): Controller =>
  makeUnifiClassic({
    ...someSurroundings(),
    id: 1,
    name: 'Halle 3',
    settings: { url, fingerprint },
    credentials: { username, password },
    ...values,
  });

/** Consoles and adapters of a test file, which end with each test. */
export const consolesOfTest = () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    // Adapters were made after their consoles.
    for (const end of ends.reverse()) await end();
    ends.length = 0;
  });
  return {
    start: async (options: ConsoleOptions = {}): Promise<UnifiConsole> => {
      const console = await startUnifiConsole(options);
      ends.push(() => console.stop());
      return console;
    },
    script: async (options: ScriptOptions): Promise<Scripted> => {
      const scripted = await startScripted(options);
      ends.push(() => scripted.stop());
      return scripted;
    },
    connect: (console: Reachable, values?: Partial<UnifiClassicOptions>): Controller => {
      const controller = connectTo(console, values);
      ends.push(() => controller.close());
      return controller;
    },
  };
};
