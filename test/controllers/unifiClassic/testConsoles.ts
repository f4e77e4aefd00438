import { afterEach } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../../simulators/unifi/console.js';
import type { ConsoleOptions, ConsoleVariant } from '../../../simulators/unifi/settings.js';
import type { Controller } from '../../../src/controllers/controller.js';
import type { ControllerError } from '../../../src/controllers/errors.js';
import {
  makeUnifiClassic,
  type UnifiClassicOptions,
} from '../../../src/controllers/unifiClassic/unifiClassic.js';
import { sharedCertificate } from '../../support/certificate.js';
import { someControllerDeps } from '../../support/controllerDeps.js';
import { startScripted, type Scripted, type ScriptOptions } from './scriptedConsole.js';

export const variants: readonly ConsoleVariant[] = ['self-hosted', 'unifi-os'];

/** Something that looks like a controller. */
type Reachable = Pick<UnifiConsole, 'url' | 'fingerprint' | 'username' | 'password'>;

/** An adapter as the service makes it, connected to a console. */
export const connectTo = (
  { url, fingerprint, username, password }: Reachable,
  values: Partial<UnifiClassicOptions> = {},
): Controller =>
  makeUnifiClassic({
    ...someControllerDeps(),
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
      const console = await startUnifiConsole({ certificate: await sharedCertificate(), ...options });
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

/** What a call is refused with. Fails when it is not. */
export const refusalOf = (work: Promise<unknown>): Promise<ControllerError> =>
  work.then(
    () => {
      throw new Error('it was not refused');
    },
    (refusal: unknown) => refusal as ControllerError,
  );
