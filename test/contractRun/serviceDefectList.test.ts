import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { serviceDefects } from '../../scripts/show/defects/serviceDefects.js';
import { root } from '../support/built.js';

test('every defect of npm run show:defects can be planted: its text occurs once', () => {
  const occurrences = serviceDefects.map(({ name, file, from }) => [
    name,
    readFileSync(join(root, file), 'utf8').split(from).length - 1,
  ]);
  expect(occurrences).toEqual(serviceDefects.map(({ name }) => [name, 1]));
});

test('every defect has a name of its own and changes something', () => {
  expect(new Set(serviceDefects.map(({ name }) => name)).size).toBe(serviceDefects.length);
  expect(serviceDefects.filter(({ from, to }) => from === to)).toEqual([]);
});
