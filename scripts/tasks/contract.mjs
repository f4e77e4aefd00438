import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { listContractFiles } from './contractFiles.mjs';
import { importSource } from './importSource.mjs';
import { cache, hashOf, root, StepFailed } from './run.mjs';

/** The contracts, each with the file of its types. */
const contracts = [
  { contract: 'openapi.yaml', types: 'generated/openapi.ts' },
  { contract: 'web.yaml', types: 'generated/web.ts' },
];
/** What the types were last made from, by contract. */
const stampFile = `${cache}generated.json`;

const readStamp = () => {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
};

/** The generator counts, too: another version may make other types. */
const stampOf = ({ contract, types }) =>
  existsSync(`${root}${types}`)
    ? hashOf([...existingFiles(contract), types, 'package-lock.json'])
    : undefined;

/** The files that a contract consists of. */
export const existingFiles = (contract) =>
  listContractFiles(root, contract).filter((file) => existsSync(`${root}${file}`));

const readTypes = (types) => {
  try {
    return readFileSync(`${root}${types}`, 'utf8');
  } catch {
    return undefined;
  }
};

/**
 * The types of a contract as text. The generator gets the contract as the service reads it, in one document and with what
 * it knows by itself spelled out: its own command line takes `#` and `%` in the name of a folder for parts of an address.
 */
const makeTypes = async (contract) => {
  // Loaded only here: at the first set-up it is not installed yet when this file is loaded.
  const { default: openapiTS, astToString, COMMENT_HEADER } = await import('openapi-typescript');
  const { readTypedDocument } = await importSource('src/contract/typedDocument.ts');
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

const isCurrent = ({ contract, types }) => readStamp()[contract] === stampOf({ contract, types });

/** Makes the types of the contracts that changed, or whose types did, since they were made last. */
export const writeTypes = async () => {
  for (const pair of contracts) {
    if (isCurrent(pair)) continue;
    const made = await makeTypes(pair.contract);
    // A file that stays the same is not written: a compiler that watches has nothing to do then.
    if (readTypes(pair.types) !== made) {
      mkdirSync(`${root}generated`, { recursive: true });
      writeFileSync(`${root}${pair.types}`, made);
    }
    mkdirSync(cache, { recursive: true });
    writeFileSync(stampFile, JSON.stringify({ ...readStamp(), [pair.contract]: stampOf(pair) }));
  }
};

/** Fails when the types are not those that the contracts make. */
export const checkTypes = async () => {
  for (const { contract, types } of contracts)
    if (readTypes(types) !== (await makeTypes(contract)))
      throw new StepFailed(`${types} does not follow ${contract}: npm run generate`);
};

/** Makes the types of the contracts. What the service would refuse is refused here, with its place. */
export const generateTypes = () =>
  writeTypes().catch((cause) => {
    throw new StepFailed(`no types could be made of the contracts: ${cause.message.replaceAll(root, '')}`);
  });
