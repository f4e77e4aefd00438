import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { withLock } from '../../scripts/tasks/lock.mjs';
import { makeFolder, type TestFolder } from '../support/folder.js';

let folder: TestFolder;
let file: string;
beforeEach(async () => {
  folder = await makeFolder();
  file = join(folder.path, 'dist.lock');
});
afterEach(() => folder.remove());

test('the next one begins when the one before has ended, also when that failed', async () => {
  const events: string[] = [];
  let endFirst = (): void => undefined;
  const firstEnds = new Promise<void>((resolve) => (endFirst = resolve));
  const failed = withLock(file, async () => {
    events.push('first begins');
    await firstEnds;
    events.push('first fails');
    throw new Error('it did not compile');
  });
  const next = withLock(file, () => {
    events.push('next begins');
    return 'built';
  });
  events.push('both asked');
  endFirst();
  await expect(failed).rejects.toThrow('it did not compile');
  expect(await next).toBe('built');
  expect(events).toEqual(['first begins', 'both asked', 'first fails', 'next begins']);
  expect(existsSync(file)).toBe(false);
});

test('what a process left behind that is gone does not count', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(file, String(pid));
  expect(await withLock(file, () => 'built')).toBe('built');
  writeFileSync(file, String(process.pid));
  expect(await withLock(file, () => 'built')).toBe('built');
});
