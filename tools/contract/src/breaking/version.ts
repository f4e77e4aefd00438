import type { Change } from './change.js';

type Version = readonly [major: number, minor: number, patch: number];

const read = (text: string): Version | undefined => {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(text) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
};

/** What `info.version` says of the changes. */
export type VersionVerdict = 'enough' | 'too low for a breaking change' | 'not raised' | 'lowered';

/** A breaking change raises the major version, below 1.0.0 the minor one; any other raises something. */
export const judgeVersion = (before: string, after: string, changes: readonly Change[]): VersionVerdict => {
  const [from, to] = [read(before), read(after)];
  const isBreaking = changes.some(({ severity }) => severity === 'breaking');
  if (!from || !to) {
    if (changes.length === 0 || before !== after) return 'enough';
    return isBreaking ? 'too low for a breaking change' : 'not raised';
  }
  const order = to[0] - from[0] || to[1] - from[1] || to[2] - from[2];
  if (order < 0) return 'lowered';
  const isAnnounced = to[0] > from[0] || (to[0] === 0 && to[1] > from[1]);
  if (isBreaking && !isAnnounced) return 'too low for a breaking change';
  return changes.length > 0 && order === 0 ? 'not raised' : 'enough';
};

/** The lowest version that would announce the changes; undefined for versions that are not like 1.2.3. */
export const nextVersion = (before: string, changes: readonly Change[]): string | undefined => {
  const from = read(before);
  if (!from) return undefined;
  const [major, minor, patch] = from;
  if (changes.length === 0) return before;
  if (changes.some(({ severity }) => severity === 'breaking')) {
    return major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`;
  }
  return changes.some(({ id }) => id.endsWith('added'))
    ? `${major}.${minor + 1}.0`
    : `${major}.${minor}.${patch + 1}`;
};
