import { build } from './build.mjs';
import { install } from './install.mjs';

/** What a command needs before it can run. Does nothing when all is current. */
export const setUp = {
  /** The packages for checks, tests and measurements. */
  tools: () => install({ tools: true }),

  /** The packages of the program, and a build. */
  program: async () => {
    await install();
    await build();
  },

  /** All packages, and a build. */
  build: async () => {
    await install({ tools: true });
    await build();
  },
};
