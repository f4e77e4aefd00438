import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startGroup } from './processGroup.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** For what is made once and used by later runs; it may be removed at any time. */
export const cache = `${root}node_modules/.cache/voucherd/`;

// The compiler and the linter are written in Go and run for seconds: a third of that would go into collecting garbage.
process.env.GOGC ??= '400';

/** A step that did not succeed; its message is the one line a person reads last. */
export class StepFailed extends Error {}

/** The arguments that run a program of node_modules with this Node, without the cost of npx. */
export const tool = (path, ...args) => [process.execPath, [`${root}node_modules/${path}`, ...args]];

const endWithParent = ['--import', new URL('endWithParent.mjs', import.meta.url).href];

/** Runs a program with its output on the terminal; resolves with its exit status. */
export const runShown = (command, args, env = {}) =>
  new Promise((resolve, reject) => {
    const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } };
    const guarded = command === process.execPath ? [...endWithParent, ...args] : args;
    const child = startGroup(command, guarded, options, (code, signal) => resolve(signal ? 1 : code));
    child.on('error', reject);
  });

/** Runs a program silently and shows its output only when it fails; a sign of life comes every 15 s. */
export const runQuietly = (what, command, args, cwd = root) =>
  new Promise((resolve, reject) => {
    const started = Date.now();
    const options = { cwd, stdio: ['ignore', 'pipe', 'pipe'] };
    const child = startGroup(command, args, options, (code, signal) =>
      end(code === 0 ? undefined : signal ? `ended by ${signal}` : `status ${code}, see above`),
    );
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    const hint = setInterval(() => console.error(`  … ${what}: ${seconds(started)} so far`), 15_000);
    const end = (problem) => {
      clearInterval(hint);
      if (!problem) return resolve();
      process.stderr.write(Buffer.concat(output));
      reject(new StepFailed(`${what} failed: ${problem}`));
    };
    child.on('error', (error) => end(error.message));
  });

export const seconds = (started) => `${((Date.now() - started) / 1000).toFixed(1)} s`;

/** Runs a script's body; a failed step ends it with status 1 and one clear last line. */
export const script = async (body) => {
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
};

const hourMs = 3_600_000;

/** A new folder in this checkout, for what takes its place when it is complete. What a killed process has left is removed. */
export const freshFolder = (name) => {
  const isLeft = (entry) =>
    entry.startsWith(`${name}-`) && Date.now() - statSync(`${root}${entry}`).mtimeMs > hourMs;
  for (const entry of readdirSync(root).filter(isLeft)) rmSync(`${root}${entry}`, { recursive: true });
  const folder = mkdtempSync(`${root}${name}-`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** The text of a file of this checkout; undefined when it is not there. */
export const readIfThere = (file) => {
  try {
    return readFileSync(`${root}${file}`, 'utf8');
  } catch {
    return undefined;
  }
};

/** One hash of the names and contents of files of this checkout. */
export const hashOf = (files) => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(`${root}${file}`));
  return hash.digest('hex');
};

const folder = 'scripts/tasks';

/** The scripts that build, which a build depends on as it does on its sources. */
export const buildScripts = () =>
  readdirSync(`${root}${folder}`)
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => `${folder}/${file}`)
    .sort();
