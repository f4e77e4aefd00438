import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { build, extent, forgetBuild } from '../tasks/build.mjs';
import { root, seconds, StepFailed, tool } from '../tasks/run.mjs';

/** Several events make one change: editors write, rename and touch. */
const settledMs = 40;

const diagnostic = /^(?:(?<file>[^(]+)\((?<line>\d+),(?<column>\d+)\): )?error TS\d+: (?<what>.*)$/;

/** Types that are spelled out take lines and say little. */
const shortened = (text) => text.replace(/'\{[^']*\}'/g, "'{…}'");

const findingOf = (output) => {
  const found = diagnostic.exec(output)?.groups;
  if (!found) return [];
  const { file = extent().config, line = 1, column = 1, what } = found;
  return [{ file, line: Number(line), column: Number(column), what: shortened(what) }];
};

/** Compiles what has changed straight to dist/ and says what it found; what has errors is not written. */
const compile = async ({ signal, options = [] } = {}) => {
  // What it leaves in dist/ is no whole build.
  forgetBuild();
  const [command, args] = tool('typescript-native/bin/tsc', '-p', extent().config, '--pretty', 'false');
  const compiler = spawn(command, [...args, ...options], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => compiler.kill();
  signal?.addEventListener('abort', kill);
  let output = '';
  compiler.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  await once(compiler, 'close');
  signal?.removeEventListener('abort', kill);
  return output.split('\n').flatMap(findingOf);
};

/** A build for whoever designs: with errors of types, such as a handler that is still missing, it runs all the same. */
export const buildAnyway = async (options) => {
  try {
    await build(options);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    const started = Date.now();
    console.error('Compiling in spite of errors.');
    await compile({ options: ['--noEmitOnError', 'false'] });
    if (!existsSync(`${root}dist/src/main.js`))
      throw new StepFailed('compiling failed: npm run build says why');
    console.error(`  done in ${seconds(started)}`);
  }
};

/** Compiles when sources change. Calls back after every round with what it found. */
export const startCompiler = (onRound) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer;
  let changed = false;
  let round;
  const compileChanges = async () => {
    while (changed && !signal.aborted) {
      changed = false;
      const findings = await compile({ signal });
      // What is saved meanwhile makes its findings old news.
      if (!changed && !signal.aborted) onRound(findings);
    }
    round = undefined;
  };
  const follow = () => {
    changed = true;
    clearTimeout(timer);
    timer = setTimeout(() => (round ??= compileChanges()), settledMs);
  };
  for (const folder of extent().folders.filter((name) => existsSync(`${root}${name}`)))
    watch(`${root}${folder}`, { recursive: true, signal }, (_event, name) => {
      if (name?.endsWith('.ts')) follow();
    });
  follow();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await round;
  };
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
