import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { featureCalls } from '../sdk/featureCalls.js';
import { root } from '../support/built.js';
import { differences } from './featureDifferences.js';
import { features } from './features.js';

const works = 'works';

/** What the tests of each tool hold, row by row. */
const rowOf = (row: string): string => {
  const { mock, proxy, contractRun } = differences[row] ?? {};
  const client = featureCalls[row]?.otherwise;
  const cells = [works, mock?.cell, proxy?.cell, client, contractRun?.cell];
  return `| ${[row, ...cells.map((cell) => cell ?? works)].join(' | ')} |`;
};

const document = readFileSync(join(root, 'docs/features.md'), 'utf8');
const [, table = ''] = /^\| feature \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(document) ?? [];

test('docs/features.md says of every feature and every tool what their tests hold', () => {
  expect(table.trim().split('\n')).toEqual(features.map(({ row }) => rowOf(row)));
});

test('every difference belongs to a feature, and its cases exist', () => {
  expect(Object.keys(differences).filter((row) => !features.some((feature) => feature.row === row))).toEqual(
    [],
  );
  for (const { row, cases } of features) {
    const names = cases.map(([what]) => what);
    const { mock, proxy } = differences[row] ?? {};
    const named = [...(mock?.cases ?? []), ...(proxy?.cases ?? [])];
    expect(named.filter((name) => !names.includes(name))).toEqual([]);
  }
});
