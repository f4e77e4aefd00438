import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseDocument } from 'yaml';
import { groupOf } from './setup/groups.mjs';
import { root } from './support/built.js';

const folder = join(root, 'test');
/** At the end of a title, in brackets: `createVoucher-site-unknown`, and more behind a blank. */
const bracket = / \[([a-z]\w*(?:-\w+)+(?: [a-z]\w*(?:-\w+)+)*)\](?=['"`])/g;

const specification = parseDocument(readFileSync(join(folder, 'specification.yaml'), 'utf8'));
const specified = Object.keys(specification.toJS() as object);

/** Every sentence that a title of the service tier names, with the files that do. */
const named = new Map<string, string[]>();
for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  const file = relative(folder, join(folder, path)).split(sep).join('/');
  const isOfService = file.endsWith('.test.ts') && groupOf(file) === 'service';
  // Suites that its files run.
  if (!isOfService && !file.startsWith('conformance/tables/')) continue;
  for (const [, ids = ''] of readFileSync(join(folder, path), 'utf8').matchAll(bracket))
    for (const id of ids.split(' ')) named.set(id, [...(named.get(id) ?? []), file]);
}

test('every sentence of the specification stands there once', () => {
  expect(specification.errors.map(({ message }) => message)).toEqual([]);
});

test('every sentence of the specification is named by a test of the service', () => {
  expect(specified.filter((id) => !named.has(id))).toEqual([]);
});

test('every sentence that a test names is one of the specification', () => {
  const unknown = [...named].filter(([id]) => !specified.includes(id));
  expect(unknown.map(([id, files]) => `${id}: ${files.join(', ')}`)).toEqual([]);
});
