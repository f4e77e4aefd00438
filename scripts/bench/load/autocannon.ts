import { startProgram } from '../program.js';
import type { BenchRequest } from '../requests.js';
import type { Workspace } from '../workspace.js';
import { connections, type Load, type LoadGenerator } from './load.js';

/** What the child process that runs autocannon is told. */
export interface AutocannonOrder {
  readonly url: string;
  readonly request: BenchRequest;
  readonly seconds: number;
  readonly connections: number;
}

/** autocannon in a process of its own, so that it shares its event loop with nobody. */
export const makeAutocannon = (workspace: Workspace): LoadGenerator => ({
  name: 'autocannon',
  run: async (url, request, seconds) => {
    const program = await startProgram<'ready'>(workspace, 'autocannon');
    try {
      return await program.ask<Load>({ url, request, seconds, connections } satisfies AutocannonOrder);
    } finally {
      await program.stop();
    }
  },
});
