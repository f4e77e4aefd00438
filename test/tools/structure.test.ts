import { expect, test } from '@jest/globals';
import {
  findDuplicateExports,
  findImportCycles,
  findWrongWayImports,
  readModuleGraph,
} from '../../scripts/structure/moduleGraph.js';
import { root } from '../support/built.js';

const graph = readModuleGraph(root, ['src', 'handlers', 'scripts', 'simulators', 'web']);

test('no modules import each other in a circle, types included', () => {
  expect(findImportCycles(graph)).toEqual([]);
});

test('imports run one way, types included', () => {
  expect(findWrongWayImports(graph)).toEqual([]);
});

test('no name is exported twice', () => {
  expect(findDuplicateExports(graph)).toEqual([]);
});

test('src itself holds the entry point, the composition and the configuration, and nothing else', () => {
  const loose = [...graph.keys()].filter((path) => /^src\/[^/]+$/.test(path));
  expect(loose.sort()).toEqual(['src/app/app.ts', 'src/config.ts', 'src/main.ts']);
});

test('a circle, an import the wrong way, and a name that two files export, are found', () => {
  const module = (path: string, imports: string[], exportedNames: string[]) =>
    [path, { path, lines: 1, imports, exportedNames }] as const;
  const circular = new Map([
    module('a.ts', ['b.ts'], ['one']),
    module('b.ts', ['c.ts'], ['two']),
    module('c.ts', ['b.ts'], ['one']),
  ]);
  expect(findImportCycles(circular)).toEqual([['b.ts', 'c.ts']]);
  const page = module('web/src/d.ts', [], ['one', 'two']);
  expect(findDuplicateExports(new Map([...circular, page]))).toEqual([['one', ['a.ts', 'c.ts']]]);
  const wrong = new Map([
    module('src/lib/a.ts', ['src/vouchers/b.ts', 'src/lib/c.ts'], []),
    module('src/vouchers/b.ts', ['src/lib/c.ts', 'src/app/app.ts'], []),
    module('handlers/x.ts', ['src/vouchers/b.ts', 'src/http/y.ts'], []),
    module('src/app/app.ts', ['src/http/y.ts'], []),
    module('web/src/z.tsx', ['src/http/pages/pagePaths.ts', 'src/http/y.ts'], []),
  ]);
  expect(findWrongWayImports(wrong)).toEqual([
    'src/lib/a.ts must not import src/vouchers/b.ts',
    'src/vouchers/b.ts must not import src/app/app.ts',
    'handlers/x.ts must not import src/http/y.ts',
    'web/src/z.tsx must not import src/http/y.ts',
  ]);
});
