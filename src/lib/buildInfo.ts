import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './packageRoot.js';

/** Which program this is. */
export interface BuildInfo {
  /** As `package.json` says. */
  readonly version: string;
  /**
   * The commit that it was built from, with `-changed` after it when files differed; null outside a
   * repository.
   */
  readonly commit: string | null;
  /** When it was built; null where it was not, as in development. */
  readonly date: string | null;
}

/** Reads what the build has written down. */
export const readBuildInfo = (): BuildInfo => {
  const { commit = null, date = null } = readOptional('dist/build.json');
  const { version = '' } = readOptional('package.json');
  return { version, commit, date };
};

/** The version alone. */
export const readVersion = (): string => readBuildInfo().version;

/** `1.2.3 (ad7d947, 2026-11-17)`, as far as it is known. */
export const formatBuildInfo = ({ version, commit, date }: BuildInfo): string => {
  const known = [commit?.replace(/^([0-9a-f]{7})[0-9a-f]*/, '$1'), date?.slice(0, 10)].filter(Boolean);
  return known.length === 0 ? version : `${version} (${known.join(', ')})`;
};

/** The texts of a JSON file; none where it can't be read. */
const readOptional = (file: string): Readonly<Record<string, string | undefined>> => {
  try {
    const content: unknown = JSON.parse(readFileSync(join(packageRoot, file), 'utf8'));
    const entries = typeof content === 'object' && content !== null ? Object.entries(content) : [];
    return Object.fromEntries(
      entries.flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' ? [[name, value]] : [],
      ),
    );
  } catch {
    return {};
  }
};
