import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findAddress, listContractFiles } from './contractFiles.mjs';
import { hashOf, root, StepFailed } from './run.mjs';

/** The contracts, each with the file of its types. */
const contracts = [
  { contract: 'openapi.yaml', types: 'generated/openapi.ts' },
  { contract: 'web.yaml', types: 'generated/web.ts' },
];
/** What the types were last made from, by contract. */
const stampFile = `${root}node_modules/.cache/voucherd/generated.json`;

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

const existingFiles = (contract) =>
  listContractFiles(root, contract).filter((file) => existsSync(`${root}${file}`));

const readTypes = (types) => {
  try {
    return readFileSync(`${root}${types}`, 'utf8');
  } catch {
    return undefined;
  }
};

/**
 * The types of a contract as text. The generator gets the contract itself: its own command line takes `#` and `%`
 * in the name of a folder for parts of an address. It reads other files that the contract refers to. What YAML aliases
 * share is copied, because the generator changes what it is given.
 */
const makeTypes = async (contract) => {
  // Loaded only here: at the first set-up it is not installed yet when this file is loaded.
  const { default: openapiTS, astToString, COMMENT_HEADER } = await import('openapi-typescript');
  const { parse } = await import('yaml');
  const text = readFileSync(`${root}${contract}`, 'utf8');
  const address = findAddress(root, contract);
  if (address !== undefined)
    throw new StepFailed(
      `${address}: the $ref is an address: references lead to files in the folder of the contract`,
    );
  const files = existingFiles(contract).map((file) => readFileSync(`${root}${file}`, 'utf8'));
  const written = parse(text, { merge: true, maxAliasCount: -1 });
  const document = files.some((file) => needsReading(parse(file, { merge: true, maxAliasCount: -1 })))
    ? await readTypedDocument(text, `${root}${contract}`)
    : written;
  const json = JSON.stringify(document);
  const ast = await openapiTS(json, {
    silent: true,
    cwd: pathToFileURL(`${root}${contract}`),
    // Fields of one direction are marked, for `src/contract/types.ts`.
    readWriteMarkers: files.some((file) => /\b(?:readOnly|writeOnly)\b/.test(file)),
  });
  return COMMENT_HEADER + astToString(ast);
};

/**
 * Does a contract have what the generator does not know: discriminators, callbacks, files in forms, and parameters that are
 * JSON or may have a default?
 */
const needsReading = (node) =>
  typeof node === 'object' &&
  node !== null &&
  (node.discriminator !== undefined ||
    node.callbacks !== undefined ||
    node['multipart/form-data'] !== undefined ||
    (typeof node.in === 'string' && (node.content !== undefined || mayHaveDefault(node.schema))) ||
    Object.values(node).some(needsReading));

const mayHaveDefault = (schema) => ['default', '$ref', 'allOf'].some((name) => schema?.[name] !== undefined);

/** The sources may not be compiled yet: they need the types that are made here. */
const readTypedDocument = async (text, file) => {
  const { build } = await import('esbuild');
  const outfile = `${root}node_modules/.cache/voucherd/typedDocument.mjs`;
  await build({
    entryPoints: [`${root}src/contract/typedDocument.ts`],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
  });
  const { readTypedDocument: read } = await import(pathToFileURL(outfile).href);
  return read(text, file);
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
    mkdirSync(dirname(stampFile), { recursive: true });
    writeFileSync(stampFile, JSON.stringify({ ...readStamp(), [pair.contract]: stampOf(pair) }));
  }
};

/** Fails when the types are not those that the contracts make. */
export const checkTypes = async () => {
  for (const { contract, types } of contracts)
    if (readTypes(types) !== (await makeTypes(contract)))
      throw new StepFailed(`${types} does not follow ${contract}: npm run generate`);
};

/** Makes the types of the contracts. A slip in YAML is told in a few lines; the generator takes hundreds. */
export const generateTypes = async () => {
  const { LineCounter, parseDocument, visit } = await import('yaml');
  for (const { contract } of contracts) {
    const lineCounter = new LineCounter();
    const document = parseDocument(readFileSync(`${root}${contract}`, 'utf8'), { lineCounter });
    // The parser accepts aliases of nothing.
    visit(document, {
      Alias: (_, alias) => {
        if (alias.resolve(document)) return;
        const { line, col } = lineCounter.linePos(alias.range[0]);
        throw new StepFailed(`${contract}:${line}:${col}: there is no anchor &${alias.source} before it`);
      },
    });
    const [error] = document.errors;
    if (!error) continue;
    const [headline, ...excerpt] = error.message.trimEnd().split('\n');
    console.error(excerpt.join('\n'));
    throw new StepFailed(`${contract} cannot be read: ${headline.replace(/:$/, '')}`);
  }
  try {
    await writeTypes();
  } catch (cause) {
    throw new StepFailed(`no types could be made of the contracts: ${cause.message}`);
  }
};

/** Makes the types when a contract, or what was made of it, changed since they were made last. */
export const generateWhenStale = async () => {
  if (contracts.every(isCurrent)) return;
  console.error('Generating types from openapi.yaml and web.yaml.');
  await generateTypes();
};
