import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { hashOf, root, runQuietly, StepFailed, tool } from './run.mjs';

const types = 'generated/openapi.ts';
const stampFile = `${root}node_modules/.cache/voucherd/generated`;

const generator = tool('openapi-typescript/bin/cli.js', 'openapi.yaml', '-o', types);

/** The command that fails when the generated types do not follow the contract. */
export const checkTypes = [generator[0], [...generator[1], '--check']];

/** Makes the types of the contract. A slip in its YAML is told in a few lines; the generator takes hundreds. */
export const generateTypes = async () => {
  const { parseDocument } = await import('yaml');
  const [error] = parseDocument(readFileSync(`${root}openapi.yaml`, 'utf8')).errors;
  if (error) {
    const [headline, ...excerpt] = error.message.trimEnd().split('\n');
    console.error(excerpt.join('\n'));
    throw new StepFailed(`openapi.yaml cannot be read: ${headline.replace(/:$/, '')}`);
  }
  mkdirSync(`${root}generated`, { recursive: true });
  await runQuietly('generating types from openapi.yaml', ...generator);
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
