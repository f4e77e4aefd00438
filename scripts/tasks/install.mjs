// Decides whether `npm ci` has to run, and which. Alone it is not enough: it removes all packages each time, and then
// compiles sqlite3 again for minutes where no ready-made file can be downloaded, so the tools for tests are added to what
// `npm start` has installed; it does not tell whether packages are stale; and sqlite3 can't be compiled in a folder whose
// name has a blank.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hasTools, isLockOf, planFor } from './packages.mjs';
import { withCleanUp } from './processGroup.mjs';
import { root, runQuietly, seconds, StepFailed } from './run.mjs';

// npm records what it has installed, however it was called, so there is no second record that could disagree.
const record = 'node_modules/.package-lock.json';

const read = (file) => JSON.parse(readFileSync(`${root}${file}`, 'utf8'));

const wantedPackages = () => read('package-lock.json').packages;

const installedPackages = () => {
  try {
    return read(record).packages;
  } catch {
    return undefined;
  }
};

/** Whether the tools for checks and tests are there, and not only what running and building need. */
export const toolsAreInstalled = () => {
  const installed = installedPackages();
  return installed !== undefined && hasTools(wantedPackages(), installed);
};

const plan = (tools) => {
  const wanted = wantedPackages();
  const lockFits = isLockOf(wanted, (folder) => read(`${folder === '' ? '' : `${folder}/`}package.json`));
  return planFor({ wanted, installed: installedPackages(), tools, lockFits });
};

const commands = {
  everything: ['ci'],
  program: ['ci', '--workspaces=false'],
  // As the lock file says, whatever the settings of npm on this machine are, and without writing it.
  addition: ['install', '--package-lock', '--no-save'],
};

/** Blanks, quotes and `$` in the name of a folder have a meaning for make, which compiles sqlite3. */
const isPlainPath = (path) => /^[\w./@+-]+$/.test(path);

/** What npm reads in a checkout. */
const npmFiles = () => [
  ...['package.json', 'package-lock.json', '.npmrc'],
  ...read('package.json').workspaces.map((folder) => `${folder}/package.json`),
];

const move = (from, to) => {
  if (!existsSync(from)) return;
  rmSync(to, { recursive: true, force: true });
  try {
    renameSync(from, to);
  } catch (error) {
    // The folder for temporary files may be on another disk.
    if (error.code !== 'EXDEV') throw error;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true });
  }
};

/** Does what npm has to do in a folder with a plain name, and brings the packages here. Links among them are relative. */
const inPlainFolder = (work) => {
  const folder = mkdtempSync(join(tmpdir(), 'voucherd-install-'));
  const [here, there] = [`${root}node_modules`, join(folder, 'node_modules')];
  const bringBack = () => {
    move(there, here);
    rmSync(folder, { recursive: true, force: true });
  };
  return withCleanUp(bringBack, () => {
    for (const file of npmFiles().filter((name) => existsSync(`${root}${name}`))) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(`${root}${file}`, join(folder, file));
    }
    move(here, there);
    return work(folder);
  });
};

// Compiler and tools are needed here even where NODE_ENV=production leaves them out.
const npm = (how) => {
  const [command, ...options] = commands[how];
  const args = [command, ...options, '--include=dev', '--no-audit', '--no-fund'];
  const runIn = (folder) => runQuietly(`npm ${command}`, 'npm', args, folder);
  return isPlainPath(root) ? runIn(root) : inPlainFolder(runIn);
};

const fromScratch = async (how) => {
  console.error(
    '  This can take some minutes: sqlite3 is compiled where no ready-made file can be downloaded.',
  );
  await npm(how);
};

/**
 * Adds to what is installed. Meanwhile there is no record, as with `npm ci`: after an end in the middle the next
 * installation starts from scratch. After a failure npm puts back what was there.
 */
const add = async () => {
  const kept = readFileSync(`${root}${record}`);
  rmSync(`${root}${record}`);
  try {
    await npm('addition');
  } catch (error) {
    writeFileSync(`${root}${record}`, kept);
    throw error;
  }
};

/**
 * Installs the packages when they are missing or stale: what running and building need, or with `tools` also what
 * checks, tests and measurements need.
 */
export const install = async ({ tools = false } = {}) => {
  const isFirst = !existsSync(`${root}node_modules`);
  const planned = plan(tools);
  if (!planned) return;
  const started = Date.now();
  console.error(
    `Installing packages: ${isFirst ? 'this checkout has no node_modules yet' : planned.reason}.`,
  );
  if (planned.how !== 'addition') await fromScratch(planned.how);
  else {
    await add();
    // What was added to must be as exact as what is made from scratch.
    if (plan(tools)) await fromScratch('everything');
  }
  await import('sqlite3').catch((error) => {
    throw new StepFailed(
      `sqlite3 was installed but does not load; try "npm rebuild sqlite3": ${error.message.split('\n')[0]}`,
    );
  });
  console.error(`  done in ${seconds(started)}`);
};

const interop = `${root}test/interop/`;

/** Installs the tools of other people, which have a package.json and a lock file of their own. */
export const installInterop = async () => {
  const readThere = (file) => JSON.parse(readFileSync(`${interop}${file}`, 'utf8')).packages;
  const installed = existsSync(`${interop}${record}`) ? readThere(record) : undefined;
  const planned = planFor({ wanted: readThere('package-lock.json'), installed, tools: true, lockFits: true });
  if (!planned) return;
  console.error(`Installing the tools of other people in test/interop: ${planned.reason}.`);
  await runQuietly('npm ci', 'npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], interop);
};
