import type { Workspace } from '../workspace.js';
import { makeAutocannon } from './autocannon.js';
import type { LoadGenerator } from './load.js';
import { findWrk, makeWrk } from './wrk.js';

/** wrk where it is installed, because it takes the least from the machine; autocannon comes with us. */
export const chooseGenerator = async (
  workspace: Workspace,
  wanted: LoadGenerator['name'] | undefined,
): Promise<LoadGenerator> => {
  if (wanted !== 'autocannon' && (await findWrk())) return makeWrk(workspace);
  if (wanted === 'wrk') throw new Error('wrk is not installed');
  return makeAutocannon(workspace);
};
