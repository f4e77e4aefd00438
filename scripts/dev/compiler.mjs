import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { root } from '../tasks/run.mjs';

/**
 * Compiles to dist/ as sources change, in a thread of its own, so that it ends with this process however that ends.
 * Calls back after every round with what it found; what has errors is not written.
 */
export const startCompiler = (onRound) => {
  const thread = new Worker(new URL('./compilerThread.mjs', import.meta.url));
  thread.on('message', onRound);
  return () => thread.terminate();
};

/** One hash of the program as it is compiled now; types and other scripts do not count. */
export const hashOfProgram = () => {
  const hash = createHash('sha256');
  for (const folder of ['dist/handlers', 'dist/src']) {
    const files = readdirSync(`${root}${folder}`, { recursive: true }).filter((name) => name.endsWith('.js'));
    for (const file of files.sort())
      hash.update(`${file}\0`).update(readFileSync(`${root}${folder}/${file}`));
  }
  return hash.digest('hex');
};
