import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { hashOf, root, StepFailed } from './run.mjs';

const types = 'generated/openapi.ts';
const stampFile = `${root}node_modules/.cache/voucherd/generated`;

const readTypes = () => {
  try {
    return readFileSync(`${root}${types}`, 'utf8');
  } catch {
    return undefined;
  }
};

/**
 * The types of the contract as text. The generator gets the contract itself: its own command line takes `#` and `%`
 * in the name of a folder for parts of an address. What YAML aliases share is copied, because the generator changes
 * what it is given.
 */
const makeTypes = async () => {
  // Loaded only here: at the first set-up it is not installed yet when this file is loaded.
  const { default: openapiTS, astToString, COMMENT_HEADER } = await import('openapi-typescript');
  const { parse } = await import('yaml');
  const contract = JSON.stringify(parse(readFileSync(`${root}openapi.yaml`, 'utf8'), { merge: true }));
  const ast = await openapiTS(contract, { silent: true });
  return COMMENT_HEADER + astToString(ast);
};

/** Writes the types, unless they stay the same: a compiler that watches has nothing to do then. */
export const writeTypes = async () => {
  const made = await makeTypes();
  if (readTypes() === made) return;
  mkdirSync(`${root}generated`, { recursive: true });
  writeFileSync(`${root}${types}`, made);
};

/** Fails when the types are not those that the contract makes. */
export const checkTypes = async () => {
  if (readTypes() !== (await makeTypes()))
    throw new StepFailed(`${types} does not follow openapi.yaml: npm run generate`);
};

/** Makes the types of the contract. A slip in its YAML is told in a few lines; the generator takes hundreds. */
export const generateTypes = async () => {
  const { parseDocument } = await import('yaml');
  const [error] = parseDocument(readFileSync(`${root}openapi.yaml`, 'utf8')).errors;
  if (error) {
    const [headline, ...excerpt] = error.message.trimEnd().split('\n');
    console.error(excerpt.join('\n'));
    throw new StepFailed(`openapi.yaml cannot be read: ${headline.replace(/:$/, '')}`);
  }
  try {
    await writeTypes();
  } catch (cause) {
    throw new StepFailed(`no types could be made of openapi.yaml: ${cause.message}`);
  }
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, hashOf(['openapi.yaml', types]));
};

/** Makes the types when the contract, or what was made of it, changed since they were made last. */
export const generateWhenStale = async () => {
  const made = existsSync(stampFile) && existsSync(`${root}${types}`);
  if (made && readFileSync(stampFile, 'utf8') === hashOf(['openapi.yaml', types])) return;
  console.error('Generating types from openapi.yaml.');
  await generateTypes();
};
