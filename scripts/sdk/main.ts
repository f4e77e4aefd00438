// Writes a typed client of a contract, ready to be packed: `npm run sdk`, then `npm pack ./dist/sdk`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { contractFile } from '../../src/config/packagedContracts.js';
import { ContractError } from '../../src/contract/source.js';
import { packageRoot } from '../../src/lib/packageRoot.js';
import { readClientContract } from './clientContract.js';
import { writeClientPackage } from './clientPackage.js';
import { classNameOf, type ClientNames } from './packageFiles.js';

const help = `npm run sdk [-- --out FOLDER]
npm run sdk -- --contract FILE --out FOLDER --name PACKAGE

Generates a typed client, as a package for npm pack: of openapi.yaml into dist/sdk, or of another contract.

  --contract FILE  an OpenAPI 3.0 or 3.1 document, in YAML or JSON, in one file or several
  --out FOLDER     where the package is written; what an earlier run has written there is replaced
  --name PACKAGE   the name of the package: pet-store-client has createPetStoreClient()`;

const ownOut = join(packageRoot, 'dist/sdk');

interface Order {
  readonly contract: string;
  readonly out: string;
  readonly names: ClientNames;
  /** Our own client has a licence, an example and tests. */
  readonly isOwn: boolean;
}

const fail = (message: string): never => {
  console.error(message);
  process.exit(2);
};

const readOptions = (): Record<string, string | boolean | undefined> => {
  const text = { type: 'string' } as const;
  const options = { contract: text, out: text, name: text, help: { type: 'boolean', short: 'h' } } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${help}`);
  }
};

const readOrder = (): Order => {
  const { contract, out, name, help: asked } = readOptions();
  if (asked === true) {
    console.log(help);
    process.exit(0);
  }
  const own = { name: 'voucherd-client', className: 'VoucherClient' };
  if (contract === undefined && name === undefined)
    return {
      contract: contractFile,
      out: typeof out === 'string' ? resolve(out) : ownOut,
      names: own,
      isOwn: true,
    };
  if (typeof contract !== 'string' || typeof out !== 'string' || typeof name !== 'string')
    return fail(`--contract and --name belong together, and need --out\n\n${help}`);
  if (!/^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z][a-z0-9._~-]*$/.test(name))
    return fail(`--name ${name}: not a name that npm accepts, such as pet-store-client`);
  if (!existsSync(contract)) return fail(`--contract ${contract}: there is no such file`);
  return { contract, out: resolve(out), names: { name, className: classNameOf(name) }, isOwn: false };
};

/** Empties the folder, unless somebody else has put something there. */
const prepareFolder = ({ out }: Order): void => {
  const isOurs = out === ownOut || existsSync(join(out, 'src/generated/sdk.gen.ts'));
  if (existsSync(out) && readdirSync(out).length > 0 && !isOurs)
    fail(`--out ${out}: this folder has other files; name a new one`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
};

const order = readOrder();
const { out, names, isOwn } = order;

const compile = (): void => {
  const compiler = join(packageRoot, 'node_modules/typescript-native/bin/tsc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', out], { encoding: 'utf8' });
  if (status === 0) return;
  console.error(`${stdout}${stderr}the client does not compile`);
  process.exit(1);
};

try {
  const contract = readClientContract(order.contract);
  prepareFolder(order);
  await writeClientPackage(contract, out, names, isOwn);
} catch (error) {
  if (!(error instanceof ContractError)) throw error;
  fail(error.message);
}
compile();
const below = relative(process.cwd(), out);
const shown = below.startsWith('..') ? out : `./${below}`;
console.log(`${out}: ${names.name}${isOwn ? `\n  try it:  npm --prefix ${shown} test` : ''}
  pack it: npm pack ${shown}`);
