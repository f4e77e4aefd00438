import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readBuild } from './buildInfo.mjs';
import { bundleProgram } from './bundle.mjs';
import { buildWeb } from './buildWeb.mjs';
import { writeDeclarations } from './declarations.mjs';
import { copyPackageFiles } from './packageFiles.mjs';
import { buildScripts, freshFolder, hashOf, readIfThere, root, seconds, StepFailed } from './run.mjs';

const stampFile = 'dist/.built.json';

const folders = [
  ...['src', 'handlers', 'generated', 'simulators', 'scripts', 'tools/contract/src', 'tools/bench/src'],
  ...['test/scenarios', 'test/soak'],
];

/** With what they import from elsewhere: trials need what tests share. */
const sourceFiles = () => {
  const files = new Set(
    folders
      .filter((folder) => existsSync(`${root}${folder}`))
      .flatMap((folder) =>
        readdirSync(`${root}${folder}`, { recursive: true }).map((file) => join(folder, file)),
      )
      .filter((file) => /(?<!\.d)\.ts$/.test(file)),
  );
  for (const file of files)
    for (const [, path] of readFileSync(`${root}${file}`, 'utf8').matchAll(/ from '(\.[^']+js)'/g)) {
      const imported = join(dirname(file), path.replace(/\.js$/, '.ts'));
      if (existsSync(`${root}${imported}`)) files.add(imported);
    }
  return [...files].sort();
};

const hashOfSources = () =>
  hashOf([
    ...sourceFiles(),
    ...buildScripts(),
    ...['tsconfig.json', 'tsconfig.declarations.json', 'package-lock.json'],
  ]);

/** Was the last build made from what is here now, by the scripts that are here now? */
export const isBuildCurrent = () => readIfThere(stampFile) === hashOfSources();

/** Makes JavaScript of every source, a file for each. Types are for others to check: `npm run typecheck`. */
const compile = async (outdir) => {
  // Loaded only now: it may have just been installed.
  const esbuild = await import('esbuild');
  const files = sourceFiles();
  const sources = files.filter((file) => file.endsWith('.ts'));
  for (const file of files) if (!sources.includes(file)) cpSync(`${root}${file}`, `${outdir}/${file}`);
  await esbuild
    .build({
      absWorkingDir: root,
      entryPoints: sources,
      outbase: '.',
      outdir,
      format: 'esm',
      platform: 'node',
      sourcemap: true,
      logLevel: 'warning',
    })
    .catch(() => {
      throw new StepFailed('compiling failed, see above');
    });
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

const buildProgram = async ({ force = false }) => {
  if (!force && isBuildCurrent()) return;
  const sources = hashOfSources();
  const started = Date.now();
  console.error(`Building: ${readIfThere(stampFile) ? 'the sources changed' : 'there is no build yet'}.`);
  // Into a folder of its own: a failed build leaves the last good one, and no output of deleted sources stays.
  const fresh = freshFolder('dist.new');
  await compile(fresh);
  await bundleProgram(fresh, `${fresh}/program`);
  await writeDeclarations(`${fresh}/types`);
  copyPackageFiles(`${fresh}/files`);
  await prepareContracts(fresh);
  writeFileSync(`${fresh}/build.json`, JSON.stringify(readBuild()));
  writeFileSync(`${fresh}/.built.json`, sources);
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

/** Builds what has changed since the last build: the program, in any case with `force`, and the pages. */
export const build = async (options = {}) => {
  await buildProgram(options);
  await buildWeb();
};
