import { expect, test } from '@jest/globals';
import {
  findDuplicateExports,
  findImportCycles,
  readModuleGraph,
} from '../../scripts/structure/moduleGraph.js';
import { root } from '../support/built.js';

const graph = readModuleGraph(root, ['src', 'handlers', 'scripts', 'simulators']);

test('no modules import each other in a circle, types included', () => {
  expect(findImportCycles(graph)).toEqual([]);
});

test('no name is exported twice', () => {
  expect(Object.fromEntries(findDuplicateExports(graph))).toEqual({});
});

test('src itself holds the entry point, the composition and the configuration, and nothing else', () => {
  const loose = [...graph.keys()].filter((path) => /^src\/[^/]+$/.test(path));
  expect(loose.sort()).toEqual(['src/app.ts', 'src/config.ts', 'src/main.ts']);
});

test('a circle, and a name that two files export, are found', () => {
  const module = (path: string, imports: string[], exportedNames: string[]) =>
    [path, { path, lines: 1, imports, exportedNames }] as const;
  const circular = new Map([
    module('a.ts', ['b.ts'], ['one']),
    module('b.ts', ['c.ts'], ['two']),
    module('c.ts', ['b.ts'], ['one']),
  ]);
  expect(findImportCycles(circular)).toEqual([['b.ts', 'c.ts']]);
  expect([...findDuplicateExports(circular)]).toEqual([['one', ['a.ts', 'c.ts']]]);
});
