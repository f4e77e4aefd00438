import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/lib/packageRoot.js';
import type { ClientContract } from './clientContract.js';
import type { GeneratedOperation } from './generate.js';
import {
  clientSource,
  compilerOptions,
  indexSource,
  packageJson,
  readme,
  type ClientNames,
} from './packageFiles.js';

const templates = join(packageRoot, 'scripts/sdk');

/** Writes the client of a contract as a package that is ready to be compiled. Our own has a licence, an example and tests. */
export const writeClientPackage = async (
  contract: ClientContract,
  out: string,
  names: ClientNames,
  isOwn = false,
): Promise<readonly GeneratedOperation[]> => {
  const write = (file: string, text: string): void => writeFileSync(join(out, file), text);
  const own = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    license: string;
    engines: { node: string };
  };
  cpSync(join(templates, 'package'), out, { recursive: true });
  if (isOwn) {
    mkdirSync(join(out, 'test'), { recursive: true });
    cpSync(join(templates, 'voucher/client.test.mjs'), join(out, 'test/client.test.mjs'));
  }
  // Loaded when it is needed: it takes longer than everything else.
  const { generateOperations } = await import('./generate.js');
  const operations = await generateOperations(contract, join(out, 'src/generated'), names.className);
  const example = isOwn ? readFileSync(join(templates, 'voucher/example.txt'), 'utf8') : undefined;
  const about = { license: isOwn ? own.license : undefined, engines: own.engines, tested: isOwn };
  write('src/client.ts', clientSource(contract, names, operations));
  write('src/index.ts', indexSource(names));
  write('package.json', `${JSON.stringify(packageJson(contract, names, about), null, 2)}\n`);
  write('tsconfig.json', `${JSON.stringify({ compilerOptions, include: ['src'] }, null, 2)}\n`);
  write('README.md', readme(contract, names, operations, example));
  return operations;
};
