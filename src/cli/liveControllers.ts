import { pino } from 'pino';
import type { Config } from '../config.js';
import { makeControllerRegistry, type ControllerRegistry } from '../controllers/registry.js';
import { systemEffects } from '../effects.js';
import { openStoredSecrets } from '../storedSecrets.js';

/** The controllers for the time of one command. */
export const withControllers = async <T>(
  config: Config,
  use: (controllers: ControllerRegistry) => Promise<T>,
): Promise<T> => {
  const controllers = makeControllerRegistry({
    dataDir: config.dataDir,
    effects: systemEffects,
    log: pino({ level: 'silent' }),
    deadlineMs: config.controllerDeadlineMs,
    // A command that makes a voucher revokes it: whose else it may be matters only to orders.
    unrecorded: (_, vouchers) => Promise.resolve([...vouchers]),
    secrets: () => openStoredSecrets(config),
  });
  try {
    return await use(controllers);
  } finally {
    await controllers.close();
  }
};
