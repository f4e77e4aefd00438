import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { migrations } from '../../src/database/migrations/index.js';
import { root } from '../support/built.js';

const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

test('the changelog has the version of the package, which is a semantic one', () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);
  expect(changelog).toContain(`\n## [${version}]`);
});

test('the changelog names every migration, with its cost', () => {
  const ranges = [...changelog.matchAll(/^\| `(\d{4}_\w+)`(?: to `(\d{4}_\w+)`)? \| .+ \| .+ \|$/gm)].map(
    ([, first = '', last = first]) => ({ first, last }),
  );
  const unnamed = migrations.filter(
    ({ name }) => !ranges.some(({ first, last }) => name >= first && name <= last),
  );
  expect(unnamed.map(({ name }) => name)).toEqual([]);
  const names = new Set(migrations.map(({ name }) => name));
  expect(ranges.flatMap(({ first, last }) => [first, last]).filter((name) => !names.has(name))).toEqual([]);
});
