import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { readBuild } from './buildInfo.mjs';
import { bundleProgram } from './bundle.mjs';
import { buildWeb } from './buildWeb.mjs';
import { writeDeclarations } from './declarations.mjs';
import { toolsAreInstalled } from './install.mjs';
import { copyPackageFiles } from './packageFiles.mjs';
import { bundle } from './program.mjs';
import { buildScripts, freshFolder, hashOf, root, runQuietly, seconds, tool } from './run.mjs';

const stampFile = `${root}dist/.built.json`;

/**
 * What is compiled: the program with the contract run, and where the tools for checks and tests are installed also the scripts,
 * tools and trials, whose types need them. `config` includes the files of `folders`.
 */
export const extent = () => {
  const program = ['src', 'handlers', 'generated', 'simulators', 'tools/contract', 'scripts/lib'];
  return toolsAreInstalled()
    ? {
        config: 'tsconfig.build.json',
        folders: [...program, 'scripts', 'tools', 'test/scenarios', 'test/soak'],
      }
    : { config: 'tsconfig.program.json', folders: program };
};

const sourceFiles = (folders) =>
  folders
    .filter((folder) => existsSync(`${root}${folder}`))
    .flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => file.endsWith('.ts'))
    .sort();

const readStamp = () => {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return undefined;
  }
};

const current = ({ config, folders }) => {
  const files = sourceFiles(folders);
  const settings = [
    ...['tsconfig.json', 'tsconfig.build.json', 'tsconfig.declarations.json', config],
    'package-lock.json',
  ];
  return { config, files, sources: hashOf([...files, ...buildScripts(), ...settings]) };
};

const reasonFor = (before, now) => {
  if (!before) return 'there is no build yet';
  return before.config === now.config ? 'the sources changed' : `the last build was not of ${now.config}`;
};

/** Was the last build made from what is here now, by the scripts that are here now? */
export const isBuildCurrent = () => readStamp()?.sources === current(extent()).sources;

/**
 * Makes the next build a full one, and the compiler's output the program, for callers that change dist/ themselves.
 */
export const forgetBuild = () => {
  rmSync(stampFile, { force: true });
  rmSync(bundle, { recursive: true, force: true });
};

/** Reads and checks the contracts, so that a start does not have to. A slip in one is for the program to tell. */
const prepareContracts = async (compiled) => {
  const load = (module) => import(pathToFileURL(`${compiled}/src/contract/${module}.js`).href);
  const { prepareSource } = await load('preparedSource');
  const { parseContract } = await load('contract');
  const { checkDefaults } = await load('defaults');
  const { validatorsOf } = await load('runtime/validators');
  for (const contract of ['openapi', 'web']) {
    try {
      const text = readFileSync(`${root}${contract}.yaml`, 'utf8');
      const parsed = parseContract(text, { file: `${root}${contract}.yaml` });
      checkDefaults(parsed);
      validatorsOf(parsed);
      const prepared = prepareSource(text);
      if (prepared !== undefined) writeFileSync(`${compiled}/${contract}.json`, prepared);
    } catch (error) {
      console.error(`  ${contract}.yaml cannot be served: ${error.message.replace(root, '')}`);
    }
  }
};

/**
 * Compiles the program to dist/ when its sources changed since the last build, or always with `force`; without
 * the bundle for callers that change dist/ themselves afterwards.
 */
const buildProgram = async ({ force = false, bundled = true, isChecked = false }) => {
  if (!force && isBuildCurrent()) return;
  const before = readStamp();
  const wanted = extent();
  const now = current(wanted);
  const started = Date.now();
  console.error(`Building: ${reasonFor(before, now)}.`);
  // Into a folder of its own: a failed build leaves the last good one, and no output of deleted sources stays.
  const fresh = freshFolder('dist.new');
  const colours = ['--pretty', String(process.stderr.isTTY === true)];
  await runQuietly(
    'build',
    ...tool(
      'typescript-native/bin/tsc',
      ...['-p', wanted.config, '--outDir', fresh, '--tsBuildInfoFile', `${fresh}/.tsbuildinfo`, ...colours],
      ...(isChecked ? ['--noCheck'] : []),
    ),
  );
  if (bundled) {
    await bundleProgram(fresh, `${fresh}/program`);
    await writeDeclarations(`${fresh}/types`);
    copyPackageFiles(`${fresh}/files`);
    await prepareContracts(fresh);
    writeFileSync(`${fresh}/build.json`, JSON.stringify(readBuild()));
    writeFileSync(`${fresh}/.built.json`, JSON.stringify(now));
  }
  // Another process may have built the same meanwhile, and work with it already.
  if (!force && isBuildCurrent()) return;
  const old = freshFolder('dist.old');
  try {
    if (existsSync(`${root}dist`)) renameSync(`${root}dist`, `${old}/dist`);
    // The pages are built on their own.
    if (existsSync(`${old}/dist/web`)) renameSync(`${old}/dist/web`, `${fresh}/web`);
    renameSync(fresh, `${root}dist`);
  } catch (error) {
    // Another process may have been faster with the same.
    if (!isBuildCurrent()) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
  console.error(`  done in ${seconds(started)}`);
};

/**
 * Builds what has changed: the program, and the pages. With `force` the program is built in any case; `isChecked` says that
 * types were checked just now.
 */
export const build = async (options = {}) => {
  await buildProgram(options);
  await buildWeb();
};
