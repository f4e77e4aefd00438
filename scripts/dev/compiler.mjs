import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { build, extent, forgetBuild, isBuildCurrent } from '../tasks/build.mjs';
import { buildWeb } from '../tasks/buildWeb.mjs';
import { root, seconds, StepFailed, tool } from '../tasks/run.mjs';
import { watchTree } from './watchTree.mjs';

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

const program = `${root}dist/src/main.js`;
/** What the compiler knows of its last output: with it, only what has changed is compiled. */
const compilerState = `${root}dist/.tsbuildinfo`;

const compileAnyway = async () => {
  const started = Date.now();
  const findings = await compile({ options: ['--noEmitOnError', 'false'] });
  if (!existsSync(program)) throw new StepFailed('compiling failed: npm run build says why');
  console.error(`  done in ${seconds(started)}`);
  return findings;
};

/**
 * A build for development: it runs even with type errors, such as a handler that is still missing.
 * Resolves with the errors.
 */
export const buildAnyway = async (options) => {
  try {
    await build(options);
    return [];
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error('Compiling in spite of errors.');
    return compileAnyway();
  }
};

/** The compiler leaves its output of sources that have been deleted. */
const removeOrphans = () => {
  const outputs = extent()
    .folders.filter((folder) => existsSync(`${root}dist/${folder}`))
    .flatMap((folder) =>
      readdirSync(`${root}dist/${folder}`, { recursive: true }).map((name) => `${folder}/${name}`),
    );
  for (const output of outputs) {
    const [, source] = /^(.+)\.js(?:\.map)?$/.exec(output) ?? [];
    if (source !== undefined && !existsSync(`${root}${source}.ts`)) rmSync(`${root}dist/${output}`);
  }
};

/** Brings the last build up to date, which takes a fraction of a build; like buildAnyway() where there is none. */
export const updateBuild = async (options) => {
  if (!existsSync(compilerState) || !existsSync(program)) return buildAnyway(options);
  await buildWeb().catch((error) => {
    if (!(error instanceof StepFailed)) throw error;
    console.error(`${error.message}\nthe last pages go on.`);
  });
  if (isBuildCurrent()) return [];
  console.error('Compiling what has changed.');
  removeOrphans();
  return compileAnyway();
};

const generated = 'generated';

/** The types of the contracts without comments, to which a contract's descriptions, examples and messages go. */
const readTypes = () =>
  readdirSync(`${root}${generated}`)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(`${root}${generated}/${name}`, 'utf8'))
    .join('\n')
    .replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '');

/**
 * Watches the sources. `begin` makes the first build; from then on it compiles when sources change, also those that
 * changed during the first build, and calls back after every round with what it found.
 */
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
  let begun = false;
  const follow = () => {
    changed = true;
    if (!begun) return;
    clearTimeout(timer);
    timer = setTimeout(() => (round ??= compileChanges()), settledMs);
  };
  let typesTimer;
  let types = readTypes();
  /** Compiles nothing where only comments changed. */
  const followTypes = () => {
    clearTimeout(typesTimer);
    typesTimer = setTimeout(() => {
      const before = types;
      types = readTypes();
      if (types !== before) follow();
    }, settledMs);
  };
  const unwatch = extent()
    .folders.filter((name) => existsSync(`${root}${name}`))
    .map((folder) =>
      watchTree(`${root}${folder}`, (path) => {
        if (!path.endsWith('.ts')) return;
        if (folder === generated) followTypes();
        else follow();
      }),
    );
  return {
    begin: async () => {
      const findings = await updateBuild({ bundled: false });
      begun = true;
      if (changed) follow();
      return findings;
    },
    stop: async () => {
      stopping.abort();
      for (const end of unwatch) end();
      clearTimeout(timer);
      clearTimeout(typesTimer);
      await round;
    },
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
