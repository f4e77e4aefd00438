import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { root } from './run.mjs';

const git = (...args) => {
  const { status, stdout } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};

/** The commit of this checkout; undefined when it is not one, or is inside the repository of something else. */
const findCommit = () => {
  const top = git('rev-parse', '--show-toplevel');
  if (top === undefined || realpathSync(top) !== realpathSync(root)) return undefined;
  const commit = git('rev-parse', 'HEAD');
  return commit === undefined || git('diff', '--quiet', 'HEAD') !== undefined ? commit : `${commit}-changed`;
};

/**
 * What a build is made from, and when. BUILD_COMMIT names the commit where there is no repository, as in an image;
 * SOURCE_DATE_EPOCH sets the date, for builds that shall be equal.
 */
export const readBuild = () => {
  const { BUILD_COMMIT: given, SOURCE_DATE_EPOCH: epoch } = process.env;
  const date = epoch ? new Date(Number(epoch) * 1000) : new Date();
  return { commit: given || findCommit(), date: date.toISOString() };
};
