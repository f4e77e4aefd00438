import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from '@swc/core';

const cacheFolder = fileURLToPath(new URL('../../../node_modules/.cache/voucherd/swc/', import.meta.url));
mkdirSync(cacheFolder, { recursive: true });

const swcOptions = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
  module: { type: 'es6' },
  sourceMaps: true,
  swcrc: false,
  configFile: false,
};

const mapMark = '\n//# sourceMappingURL=data:application/json;base64,';

/** The JavaScript of a TypeScript file, with its source map at the end, compiled once for all workers and runs. */
export const compile = (filename) => {
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha256')
    .update(`${version}\0${JSON.stringify(swcOptions)}\0${filename}\0${source}`)
    .digest('hex');
  const cached = `${cacheFolder}${key}.js`;
  if (existsSync(cached)) return readFileSync(cached, 'utf8');
  const { code, map } = transformSync(source, { ...swcOptions, filename });
  // Renamed, so that another worker never reads half a file.
  writeFileSync(`${cached}.${process.pid}`, `${code}${mapMark}${Buffer.from(map).toString('base64')}\n`);
  renameSync(`${cached}.${process.pid}`, cached);
  return readFileSync(cached, 'utf8');
};

/** The source map of what `compile` returned. */
export const sourceMapOf = (compiled) =>
  JSON.parse(Buffer.from(compiled.slice(compiled.indexOf(mapMark) + mapMark.length), 'base64').toString());
