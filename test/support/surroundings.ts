import { pino } from 'pino';
import type { ControllerSurroundings } from '../../src/controllers/registry.js';
import { systemEffects } from '../../src/effects.js';
import { makeSecrets } from '../../src/secrets.js';

/** What the service gives to controllers, for those that are used without it. */
export const someSurroundings = (values: Partial<ControllerSurroundings> = {}): ControllerSurroundings => ({
  dataDir: '',
  effects: systemEffects,
  log: pino({ level: 'silent' }),
  deadlineMs: 600_000,
  unrecorded: (_, vouchers) => Promise.resolve([...vouchers]),
  secrets: () => makeSecrets(Buffer.alloc(32), systemEffects),
  ...values,
});
