// Module hooks: sources import `./x.js`, as Node wants it, where only `./x.ts` exists.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from '@swc/core';
import { createInstrumenter } from 'istanbul-lib-instrument';

const cacheFolder = fileURLToPath(new URL('../../../node_modules/.cache/voucherd/swc/', import.meta.url));
mkdirSync(cacheFolder, { recursive: true });

const swcOptions = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
  module: { type: 'es6' },
  sourceMaps: true,
  swcrc: false,
  configFile: false,
};

/** Whose lines are counted, when the run measures coverage. */
const countedFolders = ['src', 'handlers'].map((folder) =>
  fileURLToPath(new URL(`../../../${folder}/`, import.meta.url)),
);
const isCounted = (filename) =>
  process.env.COVERAGE === 'true' && countedFolders.some((folder) => filename.startsWith(folder));

/** The code with a counter at each statement and branch. */
const addCounters = ({ code, map }, filename) => {
  const instrumenter = createInstrumenter({ esModules: true, compact: false, produceSourceMap: true });
  const counted = instrumenter.instrumentSync(code, filename, JSON.parse(map));
  return { code: counted, map: JSON.stringify(instrumenter.lastSourceMap()) };
};

export const resolve = (specifier, context, next) => {
  if (specifier === '@jest/globals')
    return { url: new URL('jestGlobals.mjs', import.meta.url).href, shortCircuit: true };
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL?.endsWith('.ts')) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
};

/** The JavaScript of a TypeScript file, compiled once for all workers and runs. */
const compile = (filename) => {
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha256')
    .update(`${version}\0${JSON.stringify(swcOptions)}\0${isCounted(filename)}\0${filename}\0${source}`)
    .digest('hex');
  const cached = `${cacheFolder}${key}.js`;
  if (existsSync(cached)) return readFileSync(cached, 'utf8');
  const plain = transformSync(source, { ...swcOptions, filename });
  const { code, map } = isCounted(filename) ? addCounters(plain, filename) : plain;
  const mapUrl = `data:application/json;base64,${Buffer.from(map).toString('base64')}`;
  // Renamed, so that another worker never reads half a file.
  writeFileSync(`${cached}.${process.pid}`, `${code}\n//# sourceMappingURL=${mapUrl}\n`);
  renameSync(`${cached}.${process.pid}`, cached);
  return readFileSync(cached, 'utf8');
};

export const load = (url, context, next) =>
  url.startsWith('file:') && url.endsWith('.ts')
    ? { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true }
    : next(url, context);
