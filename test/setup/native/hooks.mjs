// Module hooks: sources import `./x.js`, as Node wants it, where only `./x.ts` exists.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.mjs';

export const resolve = (specifier, context, next) => {
  if (specifier === '@jest/globals')
    return { url: new URL('jestGlobals.mjs', import.meta.url).href, shortCircuit: true };
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL?.endsWith('.ts')) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
};

export const load = (url, context, next) =>
  url.startsWith('file:') && url.endsWith('.ts')
    ? { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true }
    : next(url, context);
