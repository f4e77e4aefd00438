import { pino } from 'pino';
import type { ControllerDeps } from '../../src/controllers/controller.js';
import { nodeSystem } from '../../src/lib/system.js';
import { makeSecrets } from '../../src/secrets/encryption.js';

/** What the service gives to controllers, for those that are used without it. */
export const someControllerDeps = (values: Partial<ControllerDeps> = {}): ControllerDeps => ({
  dataDir: '',
  system: nodeSystem,
  log: pino({ level: 'silent' }),
  deadlineMs: 600_000,
  unrecorded: (_, vouchers) => Promise.resolve([...vouchers]),
  isOrderOpen: () => Promise.resolve(false),
  secrets: () => makeSecrets(Buffer.alloc(32), nodeSystem),
  ...values,
});
