import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { build, extent } from '../tasks/build.mjs';
import { root, seconds, StepFailed, tool } from '../tasks/run.mjs';

const tsc = async (...options) => {
  const [command, args] = tool('typescript/bin/tsc', '-p', extent().config, ...options);
  const [status] = await once(spawn(command, args, { cwd: root, stdio: 'ignore' }), 'exit');
  return status === 0;
};

/** Compiles straight to dist/, as far as sources have changed, and in spite of errors. */
const compile = async () => {
  const started = Date.now();
  console.error('Compiling.');
  // Only without the option can the compiler that follows go on from what this one found out.
  if (!(await tsc())) await tsc('--noEmitOnError', 'false');
  if (!existsSync(`${root}dist/src/main.js`))
    throw new StepFailed('compiling failed: npm run build says why');
  console.error(`  done in ${seconds(started)}`);
};

/** A build for whoever designs: with errors of types, such as a handler that is still missing, it runs all the same. */
export const buildAnyway = async () => {
  try {
    await build();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    await compile();
  }
};

/** The same for a compiler that goes on from there, and says itself what it finds. */
export const buildToFollow = async () => {
  if (existsSync(`${root}dist/.built.json`)) await buildAnyway();
  else await compile();
};
