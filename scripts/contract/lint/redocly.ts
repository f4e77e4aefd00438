import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../../src/lib/packageRoot.js';

/** One thing that a rule of redocly.yaml has found. */
export interface LintFinding {
  readonly rule: string;
  readonly severity: 'error' | 'warn';
  readonly message: string;
  /** JSON pointer into the contract. */
  readonly pointer: string;
  readonly line: number;
  readonly column: number;
  /** The field, the component or the extension key that the message speaks of. */
  readonly names: readonly string[];
}

interface Linter {
  lintContract(source: string): Promise<LintFinding[]>;
}

/** Shared with `npm run lint` and `npm run dev`, which run without a build. */
const linter = pathToFileURL(join(packageRoot, 'scripts/lint/lintContract.mjs')).href;

export const lintWithRedocly = async (source: string): Promise<LintFinding[]> => {
  const { lintContract } = (await import(linter)) as Linter;
  return lintContract(source);
};
