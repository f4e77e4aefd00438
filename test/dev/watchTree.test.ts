import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
// @ts-expect-error a script has no types
import { watchTree as watchAny } from '../../scripts/dev/watchTree.mjs';
import { makeFolder } from '../support/folder.js';
import { until } from '../support/until.js';

const watchTree = watchAny as (path: string, onChange: (path: string) => void) => () => void;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let seen: string[];
let unwatch: () => void = () => undefined;
beforeEach(async () => {
  folder = await makeFolder();
  seen = [];
});
afterEach(async () => {
  unwatch();
  await folder.remove();
});

const write = async (file: string, text = ''): Promise<void> => {
  await mkdir(dirname(join(folder.path, file)), { recursive: true });
  await writeFile(join(folder.path, file), text);
};
/** Saves as many editors do: a new file takes the place of the old one. */
const replace = async (file: string): Promise<void> => {
  await write(`${file}.new`, 'new');
  await rename(join(folder.path, `${file}.new`), join(folder.path, file));
};
const watch = (path: string): void => {
  unwatch = watchTree(join(folder.path, path), (changed) => seen.push(relative(folder.path, changed)));
};
const isSeen = (file: string): Promise<true> =>
  until(`${file} is seen`, () => seen.includes(file) || undefined);

test.each(['a.ts', 'deep/er/b.ts'])('each time that an editor replaces a file is seen (%s)', async (file) => {
  await write(`tree/${file}`);
  watch('tree');
  for (const _ of [1, 2, 3]) {
    await replace(`tree/${file}`);
    await isSeen(`tree/${file}`);
    seen.length = 0;
  }
});

test('a single file that is replaced several times is seen each time, and its neighbours are not', async () => {
  await write('tree/a.ts');
  watch('tree/a.ts');
  for (const _ of [1, 2, 3]) {
    await write('tree/b.ts');
    await replace('tree/a.ts');
    await isSeen('tree/a.ts');
    expect(new Set(seen)).toEqual(new Set(['tree/a.ts']));
    seen.length = 0;
  }
});

test('folders that are new, or come back under their name, are watched', async () => {
  await mkdir(join(folder.path, 'tree'));
  watch('tree');
  for (const _ of [1, 2]) {
    await write('tree/new/er/a.ts');
    await isSeen('tree/new/er/a.ts');
    seen.length = 0;
    await replace('tree/new/er/a.ts');
    await isSeen('tree/new/er/a.ts');
    await rm(join(folder.path, 'tree/new'), { recursive: true });
    await isSeen('tree/new');
    seen.length = 0;
  }
});
