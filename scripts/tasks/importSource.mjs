import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cache, root } from './run.mjs';

/** How esbuild bundles a source of this checkout as it is now, for Node. The packages stay outside. */
export const sourceBundle = {
  absWorkingDir: root,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  // The folder of the package is found from where a source is.
  define: { 'import.meta.url': JSON.stringify(pathToFileURL(`${root}src/main.ts`).href) },
};

/** Imports a source as it is now: a build may be an old one, or need what the source makes. */
export const importSource = async (path) => {
  // Loaded only now: it may have just been installed.
  const { build } = await import('esbuild');
  const outfile = `${cache}${path.replace(/\.ts$/, '.mjs')}`;
  const options = { ...sourceBundle, entryPoints: [path], outfile, write: false, logLevel: 'warning' };
  const { outputFiles } = await build(options);
  mkdirSync(dirname(outfile), { recursive: true });
  // At once, and whole: others may import it meanwhile.
  const fresh = `${outfile}.${randomUUID()}`;
  writeFileSync(fresh, outputFiles[0].contents);
  renameSync(fresh, outfile);
  return import(pathToFileURL(outfile).href);
};
