import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importSource } from './importSource.mjs';
import { readIfThere, root, StepFailed } from './run.mjs';

/** The contracts, by the files of their types. */
const contracts = { 'generated/openapi.ts': 'openapi.yaml', 'generated/web.ts': 'web.yaml' };

/**
 * The types of a contract as text. The generator gets the contract as the service reads it, in one document and with what
 * it knows by itself spelled out: its own command line takes `#` and `%` in the name of a folder for parts of an address.
 */
const makeTypesOf = async (contract, readTypedDocument) => {
  // Loaded only here: at the first set-up it is not installed yet when this file is loaded.
  const { default: openapiTS, astToString, COMMENT_HEADER } = await import('openapi-typescript');
  const text = readFileSync(`${root}${contract}`, 'utf8');
  const document = JSON.stringify(readTypedDocument(text, `${root}${contract}`));
  const [, address] = /"\$ref":"(?!#)([^"]*)"/.exec(document) ?? [];
  // The generator would load it.
  if (address !== undefined)
    throw new StepFailed(`${contract}: the $ref ${address} leads out of the folder of the contract`);
  const ast = await openapiTS(document, {
    silent: true,
    cwd: pathToFileURL(`${root}${contract}`),
    // Fields of one direction are marked, for `src/contract/types.ts`.
    readWriteMarkers: /"(?:readOnly|writeOnly)":/.test(document),
  });
  return COMMENT_HEADER + astToString(ast);
};

/** The types of the contracts, by their files. What the service can't read is refused, with its place. */
export const makeTypes = async () => {
  try {
    const { readTypedDocument } = await importSource('src/contract/typedDocument.ts');
    const made = Object.entries(contracts).map(async ([types, contract]) => [
      types,
      await makeTypesOf(contract, readTypedDocument),
    ]);
    return Object.fromEntries(await Promise.all(made));
  } catch (cause) {
    throw new StepFailed(`no types could be made of the contracts: ${cause.message.replaceAll(root, '')}`);
  }
};

/** The documents as the sources make them. They are read from the sources themselves, because a build may be an old one. */
export const makeDocuments = async () =>
  (await importSource('scripts/documents/documents.ts')).makeDocuments(root);

const isStale = ([path, text]) => readIfThere(path) !== text;

/** Writes what differs from what was made. A file that stays the same is not written. */
export const write = (made) => {
  for (const [path, text] of Object.entries(made).filter(isStale)) {
    mkdirSync(dirname(`${root}${path}`), { recursive: true });
    writeFileSync(`${root}${path}`, text);
    console.log(`wrote ${path}`);
  }
};

/** Fails when a file is not the one that was made. */
export const check = (made) => {
  const [stale] = Object.entries(made).find(isStale) ?? [];
  if (stale !== undefined) throw new StepFailed(`${stale} does not follow its sources: npm run generate`);
};
