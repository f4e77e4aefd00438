import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { migrations } from '../../src/database/migrations/index.js';
import { root } from '../support/built.js';

const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');

test('the changelog has what is not released, and then each version with its day; the package has the last of these', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const [first, ...versions] = [...changelog.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);
  expect(first).toBe('[Unreleased]');
  for (const title of versions)
    expect(title).toMatch(/^\[\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?\] - (\d{4}-\d{2}-\d{2}|unreleased)$/);
  const released = versions.filter((title) => !title.endsWith(' - unreleased'));
  if (released.length > 0) expect(released[0]).toMatch(`[${version}] - `);
});

test('the changelog names every migration, with its cost', () => {
  const named = [...changelog.matchAll(/^\| `(\d{4}_\w+)` \| .+ \| .+ \|$/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(migrations.map(({ name }) => name));
});
