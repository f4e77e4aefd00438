import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { buildWeb, webFolder } from './buildWeb.mjs';
import { toolsAreInstalled } from './install.mjs';
import { bundle } from './program.mjs';
import { hashOf, root, runQuietly, seconds, StepFailed, tool } from './run.mjs';

const stampFile = `${root}dist/.built.json`;

/**
 * What is compiled: the program, and where the tools for checks and tests are installed also the scripts, whose types
 * need them. `config` includes the files of `folders`.
 */
export const extent = () => {
  const program = ['src', 'handlers', 'generated', 'simulators'];
  return toolsAreInstalled()
    ? { config: 'tsconfig.build.json', folders: [...program, 'scripts'] }
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
  return {
    config,
    files,
    sources: hashOf([...files, 'tsconfig.json', 'tsconfig.build.json', config, 'package-lock.json']),
  };
};

const reasonFor = (before, now) => {
  if (!before) return 'there is no build yet';
  return before.config === now.config ? 'the sources changed' : `the last build was not of ${now.config}`;
};

/**
 * Makes the next build a full one, and the compiler's output the program, for callers that change dist/ themselves.
 */
export const forgetBuild = () => {
  rmSync(stampFile, { force: true });
  rmSync(bundle, { recursive: true, force: true });
};

/** Packages that stay outside: they have files of their own, or are drivers that knex loads if they are there. */
const external = [
  ...['sqlite3', 'pg', 'swagger-ui-dist'],
  ...['better-sqlite3', 'mariadb', 'mysql', 'mysql2', 'oracledb', 'pg-native', 'pg-query-stream', 'tedious'],
];

/** Puts compiled modules and the packages that they import into a few files, which load faster than a thousand. */
const bundleProgram = async (compiled, outdir) => {
  // Loaded only now: it may have just been installed.
  const esbuild = await import('esbuild');
  const options = {
    entryPoints: { main: `${compiled}/src/main.js` },
    outdir,
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    // A command loads its own part.
    splitting: true,
    // Not minified: it would load no faster, and errors would not show where they come from.
    sourcemap: true,
    sourcesContent: false,
    external,
    // Packages that are no ES modules call it.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'warning',
  };
  await esbuild.build(options).catch(() => {
    throw new StepFailed('bundling failed, see above');
  });
};

/** Reads the contracts' YAML, so that a start does not have to. A slip in it is for the program to tell. */
const prepareContracts = async (compiled) => {
  const { prepareSource } = await import(pathToFileURL(`${compiled}/src/contract/preparedSource.js`).href);
  for (const contract of ['openapi', 'web']) {
    try {
      const prepared = prepareSource(readFileSync(`${root}${contract}.yaml`, 'utf8'));
      if (prepared !== undefined) writeFileSync(`${compiled}/${contract}.json`, prepared);
    } catch (error) {
      console.error(`  ${contract}.yaml cannot be read: ${error.message}`);
    }
  }
};

/**
 * Compiles the program to dist/ when its sources changed since the last build, or always with `force`; without
 * the bundle for callers that change dist/ themselves afterwards.
 */
const buildProgram = async ({ force = false, bundled = true }) => {
  const before = readStamp();
  const wanted = extent();
  const now = current(wanted);
  if (!force && before?.sources === now.sources) return;
  const started = Date.now();
  console.error(`Building: ${reasonFor(before, now)}.`);
  // Into a folder of its own: a failed build leaves the last good one, and no output of deleted sources stays.
  const fresh = `${root}dist.new`;
  rmSync(fresh, { recursive: true, force: true });
  const colours = ['--pretty', String(process.stderr.isTTY === true)];
  await runQuietly(
    'build',
    ...tool(
      'typescript-native/bin/tsc',
      ...['-p', wanted.config, '--outDir', fresh, '--tsBuildInfoFile', `${fresh}/.tsbuildinfo`, ...colours],
    ),
  );
  if (bundled) {
    await bundleProgram(fresh, `${fresh}/program`);
    await prepareContracts(fresh);
    writeFileSync(`${fresh}/.built.json`, JSON.stringify(now));
  }
  // The pages are built on their own.
  if (existsSync(`${root}${webFolder}`)) renameSync(`${root}${webFolder}`, `${fresh}/web`);
  rmSync(`${root}dist`, { recursive: true, force: true });
  renameSync(fresh, `${root}dist`);
  console.error(`  done in ${seconds(started)}`);
};

/** Builds what has changed: the program, and the pages. With `force` the program is built in any case. */
export const build = async (options = {}) => {
  await buildProgram(options);
  await buildWeb();
};
