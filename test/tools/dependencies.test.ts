import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/built.js';

const { bin, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  bin: Record<string, string>;
  dependencies: Record<string, string>;
};

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What a file names in quotation marks: the files and packages that it loads, and more. */
const namesIn = (file: string): string[] =>
  [...read(file).matchAll(/'([@\w.][^'\n]*)'/g)].map(([, name]) => name ?? '');

const isFile = (name: string): boolean => /^\.{1,2}\//.test(name);

/** The source of what a file loads: `dist/` is built from it, and sources name each other as they are built. */
const sourceOf = (file: string, loaded: string): string | undefined => {
  const path = join(dirname(file), loaded).replace(/^dist\//, '');
  return [path, path.replace(/\.js$/, '.ts')].find(
    (name) => /\.m?[jt]s$/.test(name) && existsSync(join(root, name)),
  );
};

const closureOf = (file: string, known = new Set<string>()): Set<string> => {
  known.add(file);
  for (const name of namesIn(file).filter(isFile)) {
    const source = sourceOf(file, name);
    if (source !== undefined && !known.has(source)) closureOf(source, known);
  }
  return known;
};

/** The packages that a file imports, without those of Node. */
const packagesOf = (file: string): string[] =>
  [...read(file).matchAll(/(?:\bfrom |\bimport\()'((?:@[\w-]+\/)?[\w][\w.-]*)[^':]*'/g)].map(
    ([, name]) => name ?? '',
  );

test.each(Object.entries(bin))('%s runs without development dependencies', (_name, script) => {
  const files = [...closureOf(script)];
  expect(files.length).toBeGreaterThan(20);
  const missing = files.flatMap((file) =>
    packagesOf(file)
      .filter((name) => !(name in dependencies))
      .map((name) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('every production dependency is used by a program of the package', () => {
  const files = Object.values(bin).flatMap((script) => [...closureOf(script)]);
  const named = new Set(files.flatMap(namesIn).flatMap((name) => [name, name.replace(/\/[^/]*$/, '')]));
  expect(Object.keys(dependencies).filter((name) => !named.has(name))).toEqual([]);
});
