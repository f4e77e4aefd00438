import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of a test's own. */
export interface TestFolder {
  readonly path: string;
  remove(): Promise<void>;
}

export const makeFolder = async (): Promise<TestFolder> => {
  const path = await mkdtemp(join(tmpdir(), 'voucherd-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};
