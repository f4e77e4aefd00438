import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { hashOf, root, runQuietly, seconds, StepFailed, tool } from './run.mjs';
import { webTextProblems } from './webTexts.mjs';

/** Where the service finds the pages. */
export const webFolder = 'dist/web';
const stampFile = `${root}${webFolder}/.built`;

const sourceFiles = () => [
  ...readdirSync(`${root}web`, { recursive: true })
    .filter((file) => /\.(tsx?|css|json|html|svg)$/.test(file))
    .map((file) => `web/${file}`)
    .sort(),
  ...['generated/web.ts', 'src/http/pages/pagePaths.ts', 'scripts/tasks/buildWeb.mjs', 'package-lock.json'],
];

/** Made once here, so that the service compresses nothing. */
const compress = (folder) => {
  for (const name of readdirSync(folder)) {
    const file = readFileSync(`${folder}/${name}`);
    writeFileSync(`${folder}/${name}.gz`, gzipSync(file, { level: 9 }));
  }
};

/** Builds the pages to dist/web when their sources changed since the last build. */
export const buildWeb = async () => {
  const hash = hashOf(sourceFiles());
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash) return;
  const started = Date.now();
  console.error('Building the pages.');
  const problems = webTextProblems();
  if (problems.length > 0)
    throw new StepFailed(`${problems.join('\n')}\nbuilding the pages failed: see web/src/texts`);
  // Into a folder of its own: a failed build leaves the last good one.
  const fresh = `${root}dist.web`;
  await runQuietly('vite build', ...tool('vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn'));
  compress(`${fresh}/assets`);
  writeFileSync(`${fresh}/.built`, hash);
  rmSync(`${root}${webFolder}`, { recursive: true, force: true });
  mkdirSync(`${root}dist`, { recursive: true });
  renameSync(fresh, `${root}${webFolder}`);
  console.error(`  done in ${seconds(started)}`);
};
