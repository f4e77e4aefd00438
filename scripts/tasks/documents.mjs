import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { importSource } from './importSource.mjs';
import { root, StepFailed } from './run.mjs';

/** The documents as the sources make them. They are read from the sources themselves, because a build may be an old one. */
const makeDocuments = async () => (await importSource('scripts/documents/documents.ts')).makeDocuments(root);

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
