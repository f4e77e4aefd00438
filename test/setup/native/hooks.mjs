// Module hooks: sources import `./x.js`, as Node wants it, where only `./x.ts` exists.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from '@swc/core';

const cacheFolder = fileURLToPath(new URL('../../../node_modules/.cache/voucherd/swc/', import.meta.url));
mkdirSync(cacheFolder, { recursive: true });

const swcOptions = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
  module: { type: 'es6' },
  sourceMaps: 'inline',
  swcrc: false,
  configFile: false,
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
    .update(`${version}\0${JSON.stringify(swcOptions)}\0${filename}\0${source}`)
    .digest('hex');
  const cached = `${cacheFolder}${key}.js`;
  if (existsSync(cached)) return readFileSync(cached, 'utf8');
  const { code } = transformSync(source, { ...swcOptions, filename });
  // Renamed, so that another worker never reads half a file.
  writeFileSync(`${cached}.${process.pid}`, code);
  renameSync(`${cached}.${process.pid}`, cached);
  return code;
};

export const load = (url, context, next) =>
  url.startsWith('file:') && url.endsWith('.ts')
    ? { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true }
    : next(url, context);
