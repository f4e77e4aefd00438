import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/**
 * The flags that the service is started with. The first limits V8's space for new objects to two halves of 4 MiB; left
 * alone it grows to 32 MiB under load, from Node 24 on further, and seldom shrinks again. The second lets the space for old
 * objects grow by half before garbage is collected there; by default it may quadruple. After 8,000 orders the process holds
 * 110 MiB instead of 152. The code cache is made with both: V8 takes compiled code only if it runs with the same flags.
 */
export const nodeFlags = ['--max-semi-space-size=4', '--heap-growing-percent=50'];

/** The compiler's output. */
export const compiled = new URL('../../dist/src/main.js', import.meta.url);

/** The folder of the program in one file, together with the packages that it uses: it starts faster. */
export const bundle = new URL('../../dist/program/', import.meta.url);

/** A function that takes what Node gives to a CommonJS module, written by `bundle.mjs`. */
const bundleFile = fileURLToPath(new URL('main.cjs', bundle));

/** The same without any command. */
const usageFile = fileURLToPath(new URL('usage.cjs', bundle));

/** The compiled code of the bundle, which another version of Node can't use. */
export const codeCacheFile = `${bundleFile}.${process.version}-${process.arch}.cache`;

const checksumBytes = 8;

/** V8 takes code from a damaged cache, or from one of another bundle, and crashes: checksums stand before it. */
const checksumsOf = (source, code) => {
  const checksums = Buffer.alloc(checksumBytes);
  checksums.writeUInt32LE(crc32(source), 0);
  checksums.writeUInt32LE(crc32(code), 4);
  return checksums;
};

/** The file of a code cache. */
export const packCodeCache = (source, code) => Buffer.concat([checksumsOf(source, code), code]);

/** The code cache of a bundle; undefined when there is none, or none that fits. */
const readCodeCache = (source) => {
  if (!existsSync(codeCacheFile)) return undefined;
  const file = readFileSync(codeCacheFile);
  const code = file.subarray(checksumBytes);
  return file.subarray(0, checksumBytes).equals(checksumsOf(source, code)) ? code : undefined;
};

const noCodeCache = () => undefined;

/** Loads a bundle. V8 ignores a code cache that was made by another version or with other flags, and compiles. */
const loadFile = (file, findCode) => {
  const source = readFileSync(file);
  // Bundles are ASCII, and this is the fastest way to read that.
  const script = new Script(source.toString('latin1'), {
    filename: file,
    cachedData: findCode(source),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  const run = script.runInThisContext();
  run(module.exports, createRequire(file), module, file, dirname(file));
  return { source, script, program: module.exports };
};

/** The bundle with its source and script, for making or checking a code cache. */
export const loadBundle = ({ isCached = true } = {}) =>
  loadFile(bundleFile, isCached ? readCodeCache : noCodeCache);

/**
 * The built program. In development there is no bundle; before the first build there is nothing. With source maps,
 * which Node applies to modules only, errors show the sources. Options alone are usage: no command is loaded.
 */
export const loadProgram = async (argv) => {
  // An installed package has the bundle alone.
  const prefersSources = process.sourceMapsEnabled && existsSync(compiled);
  if (existsSync(bundleFile) && !prefersSources)
    // Nothing else of it, so that its source is not kept in memory twice.
    return argv.every((word) => word.startsWith('-'))
      ? loadFile(usageFile, noCodeCache).program
      : loadBundle().program;
  return existsSync(compiled) ? import(compiled.href) : undefined;
};
