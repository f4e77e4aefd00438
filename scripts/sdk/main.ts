// Writes the typed client, ready to be packed: `npm run sdk`, then `npm pack ./dist/sdk`.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { contractFile, loadContract } from '../../src/contract/contract.js';
import type { ContractDocument } from '../../src/contract/document.js';
import { packageRoot } from '../../src/lib/packageRoot.js';
import { clientSource, methodsOf } from './clientSource.js';

/** What somebody reads who has just installed the client. */
const readmeOf = (document: ContractDocument): string => `# voucherd-client

The TypeScript client of the ${document.info.title}, version ${document.info.version}. Types and methods are made from the contract of the service.

\`\`\`ts
import { createVoucherClient, isApiError } from 'voucherd-client';

const vouchers = createVoucherClient({ baseUrl: 'http://localhost:3000', apiKey: process.env.VOUCHER_KEY ?? '' });

const { sites } = await vouchers.listSites();
try {
  const voucher = await vouchers.createVoucher({ site_id: sites[0]?.id ?? 1, name: 'Familie Berger' });
  console.log(voucher.formatted_code);
} catch (error) {
  if (isApiError(error) && error.code === 'not_found') console.log('no such site');
  else throw error;
}
\`\`\`

| method | request | what it does |
|---|---|---|
${methodsOf(document)
  .map(({ operationId, call, path, summary }) => `| \`${operationId}\` | \`${call} ${path}\` | ${summary} |`)
  .join('\n')}

- **Errors** are \`VoucherApiError\` with \`status\`, \`code\`, \`message\`, \`requestId\` and \`retryAfter\`. \`isApiError\` narrows \`code\` to those that the contract knows.
- **Repetition**: what was refused for a while (429, 409, 5xx) or broke on the way is sent again up to three times, after the time that \`Retry-After\` asks for. \`retry\` changes or switches off that.
- **No voucher twice**: each \`createVoucher\` carries an \`Idempotency-Key\` of its own, which its repetitions keep. Give \`idempotencyKey\` to make your own repetitions safe as well, after a crash for instance.
- **\`raw\`** is the [openapi-fetch](https://openapi-ts.dev/openapi-fetch/) client beneath: every path and header of the contract, typed.

Node 20 or newer, or any browser.
`;

if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
  console.log(`npm run sdk

Generates the typed client from openapi.yaml into dist/sdk. npm pack ./dist/sdk makes a package of it.`);
  process.exit(0);
}

const out = join(packageRoot, 'dist/sdk');
const template = join(packageRoot, 'scripts/sdk/package');

const { resolved: document } = loadContract(contractFile);
const own = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
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

const compiled = spawnSync(
  process.execPath,
  [join(packageRoot, 'node_modules/typescript-native/bin/tsc'), '-p', out],
  {
    encoding: 'utf8',
  },
);
if (compiled.status !== 0) {
  console.error(`${compiled.stdout}${compiled.stderr}the client does not compile`);
  process.exit(1);
}
console.log(`${out}: voucherd-client ${document.info.version}
  try it:  npm --prefix dist/sdk test
  pack it: npm pack ./dist/sdk`);
