import { existsSync, readFileSync } from 'node:fs';
import { root, runQuietly, seconds, StepFailed } from './run.mjs';

const packagesOf = (file) => {
  try {
    return JSON.parse(readFileSync(`${root}${file}`, 'utf8')).packages;
  } catch {
    return undefined;
  }
};

/**
 * Why the packages must be installed, or undefined when they are as package-lock.json wants them.
 * npm writes down what it installed, whoever called it, so no record of our own can disagree with it.
 */
export const staleInstall = () => {
  if (!existsSync(`${root}node_modules`)) return 'this checkout has no node_modules yet';
  const installed = packagesOf('node_modules/.package-lock.json');
  if (!installed) return 'an earlier installation was not finished';
  for (const [path, wanted] of Object.entries(packagesOf('package-lock.json'))) {
    // Optional packages are those for other platforms; npm leaves them out.
    if (path === '' || ((wanted.optional || wanted.devOptional) && !installed[path])) continue;
    if (installed[path]?.integrity !== wanted.integrity) {
      return `${path.replace(/^.*node_modules\//, '')} is not installed as package-lock.json says`;
    }
  }
  return undefined;
};

/** Installs the packages when they are missing or stale. */
export const install = async () => {
  const reason = staleInstall();
  if (!reason) return;
  const started = Date.now();
  console.error(`Installing packages: ${reason}.`);
  console.error(
    '  This can take some minutes: sqlite3 is compiled where no ready-made file can be downloaded.',
  );
  // Compiler and test tools are needed here even where NODE_ENV=production leaves them out.
  await runQuietly('npm ci', 'npm', ['ci', '--include=dev', '--no-audit', '--no-fund']);
  await import('sqlite3').catch((error) => {
    throw new StepFailed(
      `sqlite3 was installed but does not load; try "npm rebuild sqlite3": ${error.message.split('\n')[0]}`,
    );
  });
  console.error(`  done in ${seconds(started)}`);
};
