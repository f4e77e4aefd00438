// npm keeps a record of what it has installed, however it was called: it is compared with the lock file.
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, runQuietly, seconds, StepFailed } from './run.mjs';

const record = 'node_modules/.package-lock.json';
const tools = ['tools', 'tools/contract', 'tools/bench'];

const packagesIn = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
};

/** Is all that is installed what the lock file says, and nothing missing, with or without the workspaces? */
const isInstalled = (folder, withTools) => {
  const wanted = packagesIn(`${folder}package-lock.json`);
  const installed = packagesIn(`${folder}${record}`);
  if (!installed) return false;
  const { dependencies, devDependencies } = wanted[''];
  const needed = withTools
    ? Object.keys(wanted).filter((path) => path !== '')
    : Object.keys({ ...dependencies, ...devDependencies }).map((name) => `node_modules/${name}`);
  // npm leaves out optional packages, those for other platforms.
  const isLeftOut = ({ optional, devOptional }) => optional === true || devOptional === true;
  return (
    needed.every((path) => installed[path] || isLeftOut(wanted[path])) &&
    Object.entries(installed).every(([path, { integrity }]) => wanted[path]?.integrity === integrity)
  );
};

// Compiler and tools are needed even where NODE_ENV=production leaves them out.
const npm = (folder, command, ...options) =>
  runQuietly(
    `npm ${command}`,
    'npm',
    [command, ...options, '--include=dev', '--no-audit', '--no-fund'],
    folder,
  );

/** Changes what is there, because `npm ci` would compile sqlite3 again, for minutes. Ended in the middle, it leaves no record. */
const update = async (folder, options) => {
  const kept = readFileSync(`${folder}${record}`);
  rmSync(`${folder}${record}`);
  try {
    await npm(folder, 'install', '--package-lock', '--no-save', ...options);
  } catch (error) {
    // npm has put back what was there.
    writeFileSync(`${folder}${record}`, kept);
    throw error;
  }
};

const installIn = async (folder, withTools) => {
  const options = withTools ? [] : ['--workspaces=false'];
  if (existsSync(`${folder}${record}`)) await update(folder, options);
  if (!isInstalled(folder, withTools)) await npm(folder, 'ci', ...options);
};

/** make, which compiles sqlite3, fails in a folder whose name has a blank or the like: npm works in another one then. */
const installInPlainFolder = async (withTools) => {
  const folder = `${mkdtempSync(join(tmpdir(), 'voucherd-install-'))}/`;
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const [here, there, fresh] = [`${root}node_modules`, `${folder}node_modules`, `${root}node_modules.new`];
  const copy = (from, to) => cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  const files = [
    'package.json',
    'package-lock.json',
    '.npmrc',
    ...tools.map((name) => `${name}/package.json`),
  ];
  for (const file of files.filter((name) => existsSync(`${root}${name}`)))
    copy(`${root}${file}`, `${folder}${file}`);
  if (existsSync(here)) copy(here, there);
  await installIn(folder, withTools);
  // What is complete takes the place of what was there.
  rmSync(fresh, { recursive: true, force: true });
  copy(there, fresh);
  rmSync(here, { recursive: true, force: true });
  renameSync(fresh, here);
  remove();
};

/** Whether the tools for checks and tests are there, and not only what running and building need. */
export const toolsAreInstalled = () => existsSync(`${root}node_modules/jest`);

/**
 * Installs the packages when they are missing or stale: what running and building need, or with `tools` also what checks,
 * tests and measurements need. Tools that are installed are kept.
 */
export const install = async ({ tools: needsTools = false } = {}) => {
  const withTools = needsTools || toolsAreInstalled();
  if (isInstalled(root, needsTools)) return;
  const started = Date.now();
  console.error('Installing packages. It can take minutes where sqlite3 has to be compiled.');
  await (/^[\w./@+-]+$/.test(root) ? installIn(root, withTools) : installInPlainFolder(withTools));
  await import('sqlite3').catch((error) => {
    throw new StepFailed(`sqlite3 does not load; try "npm rebuild sqlite3": ${error.message.split('\n')[0]}`);
  });
  console.error(`  done in ${seconds(started)}`);
};

/** Installs the tools of other people, which have a package.json and a lock file of their own. */
export const installInterop = async () => {
  const folder = `${root}test/interop/`;
  if (!isInstalled(folder, true)) await npm(folder, 'ci');
};
