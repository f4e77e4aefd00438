import { buildAnyway, updateBuild } from './compiler.mjs';
import { build } from '../tasks/build.mjs';
import { generateWhenStale } from '../tasks/contract.mjs';
import { install } from '../tasks/install.mjs';

/** What a command needs before it can run. Does nothing when all is current. */
export const setUp = {
  /** The packages for checks, tests and measurements. */
  tools: () => install({ tools: true }),

  /** The packages of the program, and a build even of code that does not follow its contract yet. */
  program: async () => {
    await install();
    await generateWhenStale();
    await buildAnyway();
  },

  /** All packages, the types of the contracts, and the build. */
  build: async () => {
    await install({ tools: true });
    await generateWhenStale();
    await build();
  },

  /**
   * All packages, and a build even of code that does not follow its contract yet. The types of the contracts stay as
   * they are: whether they follow the contracts is what `npm run contract` finds out.
   */
  draft: async () => {
    await install({ tools: true });
    await updateBuild();
  },
};
