// Writes the typed client, ready to be packed: `npm run sdk`, then `npm pack ./dist/sdk`.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { loadContract } from '../../src/contract/contract.js';
import { clientSource } from './clientSource.js';
import { readmeOf } from './readme.js';

/** The checkout, seen from scripts/sdk/ and from dist/scripts/sdk/. */
const rootOf = (folder: string): string =>
  existsSync(join(folder, 'package.json')) ? folder : rootOf(dirname(folder));
const root = rootOf(dirname(fileURLToPath(import.meta.url)));
const out = join(root, 'dist/sdk');
const contractFile = join(root, 'openapi.yaml');
const template = join(root, 'scripts/sdk/package');

const { resolved: document } = loadContract(contractFile);
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  license: string;
  engines: { node: string };
  devDependencies: Record<string, string>;
};

const packageJson = {
  name: 'voucherd-client',
  version: document.info.version,
  description: `TypeScript client of the ${document.info.title}`,
  license: own.license,
  type: 'module',
  engines: own.engines,
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  files: ['dist', 'src', 'test'],
  scripts: { test: 'node --test test/*.test.mjs' },
  dependencies: { 'openapi-fetch': own.devDependencies['openapi-fetch'] },
};

const compilerOptions = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  declaration: true,
  sourceMap: true,
  types: [],
  rootDir: 'src',
  outDir: 'dist',
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
cpSync(template, out, { recursive: true });
const write = (file: string, text: string): void => {
  writeFileSync(join(out, file), text);
};
// What has a default may be left out by a client.
const types = await openapiTS(readFileSync(contractFile, 'utf8'), { defaultNonNullable: false });
write('src/openapi.ts', astToString(types));
write('src/client.ts', clientSource(document));
write(
  'src/index.ts',
  `export * from './client.js';\nexport * from './errors.js';\nexport type { RetryOptions } from './retrying.js';\nexport type { components, operations, paths } from './openapi.js';\n`,
);
write('package.json', `${JSON.stringify(packageJson, null, 2)}\n`);
write('tsconfig.json', `${JSON.stringify({ compilerOptions, include: ['src'] }, null, 2)}\n`);
write('README.md', readmeOf(document));

const compiled = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', out], {
  encoding: 'utf8',
});
if (compiled.status !== 0) {
  console.error(`${compiled.stdout}${compiled.stderr}the client does not compile`);
  process.exit(1);
}
console.log(`${out}: voucherd-client ${document.info.version}
  try it:  npm --prefix dist/sdk test
  pack it: npm pack ./dist/sdk`);
