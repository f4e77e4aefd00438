import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { root } from '../tasks/run.mjs';

const types = `${root}generated/openapi.ts`;

/** Loading the generator takes longer than its work, so it is loaded before it is needed. */
const generator = import('openapi-typescript');
generator.catch(() => undefined);

const read = () => {
  try {
    return readFileSync(types, 'utf8');
  } catch {
    return undefined;
  }
};

/** Makes the types of the contract: what `npm run generate` makes, without a process. */
export const generateTypes = async () => {
  const { default: openapiTS, astToString, COMMENT_HEADER } = await generator;
  const ast = await openapiTS(pathToFileURL(`${root}openapi.yaml`), { silent: true });
  const text = COMMENT_HEADER + astToString(ast);
  // The compiler has nothing to do for types that stay the same.
  if (read() !== text) writeFileSync(types, text);
};
