import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { changesOf } from '../soak/defects/serviceDefect.js';
import { serviceDefects } from '../soak/defects/serviceDefects.js';
import { root } from '../support/built.js';

test('every defect of npm run soak -- defects can be planted: its text occurs once', () => {
  const places = serviceDefects.flatMap((defect) =>
    changesOf(defect).map(({ from }) => ({ name: defect.name, file: defect.file, from })),
  );
  const occurrences = places.map(({ name, file, from }) => [
    name,
    readFileSync(join(root, file), 'utf8').split(from).length - 1,
  ]);
  expect(occurrences).toEqual(places.map(({ name }) => [name, 1]));
});

test('every defect has a name of its own and changes something', () => {
  expect(new Set(serviceDefects.map(({ name }) => name)).size).toBe(serviceDefects.length);
  expect(serviceDefects.filter(({ from, to }) => from === to)).toEqual([]);
});
