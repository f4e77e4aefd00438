import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/built.js';

test('every test that a document names exists', async () => {
  const files = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'));
  const named: [string, string][] = [];
  for (const file of files) {
    const text = await readFile(join(root, 'docs', file), 'utf8');
    for (const [, path = ''] of text.matchAll(/`(test\/[\w./-]+)`/g)) named.push([file, path]);
  }
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(([, path]) => !existsSync(join(root, path)))).toEqual([]);
});
