import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { root, StepFailed } from './run.mjs';

const outfile = `${root}node_modules/.cache/voucherd/documents/scripts/documents/documents.mjs`;

/** The documents as the sources make them. They are read from the sources themselves, because a build may be an old one. */
const makeDocuments = async () => {
  // Loaded only now: it may have just been installed.
  const esbuild = await import('esbuild');
  await esbuild
    .build({
      absWorkingDir: root,
      entryPoints: ['scripts/documents/documents.ts'],
      outfile,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      // The folder of the package is found from where the program is.
      define: { 'import.meta.url': JSON.stringify(pathToFileURL(`${root}src/main.ts`).href) },
      logLevel: 'warning',
    })
    .catch(() => {
      throw new StepFailed('the documents could not be made, see above');
    });
  const { makeDocuments: make } = await import(pathToFileURL(outfile).href);
  return make(root);
};

const readDocument = (path) => {
  try {
    return readFileSync(`${root}${path}`, 'utf8');
  } catch {
    return undefined;
  }
};

/** Writes the documents that are made from the sources. */
export const writeDocuments = async () => {
  for (const [path, text] of Object.entries(await makeDocuments())) {
    if (readDocument(path) === text) continue;
    mkdirSync(`${root}docs`, { recursive: true });
    writeFileSync(`${root}${path}`, text);
    console.log(`wrote ${path}`);
  }
};

/** Fails when a document is not the one that the sources make. */
export const checkDocuments = async () => {
  for (const [path, text] of Object.entries(await makeDocuments()))
    if (readDocument(path) !== text)
      throw new StepFailed(`${path} does not follow the commands and settings: npm run generate`);
};
