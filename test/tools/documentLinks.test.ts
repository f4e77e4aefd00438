import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/built.js';

const documents = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'));

/** Code blocks may contain lines that look like headings and links. */
const proseOf = (file: string): string => readFileSync(join(root, file), 'utf8').replace(/```[^]*?```/g, '');

/** The anchors that GitHub creates for the headings of a document. */
const anchorsOf = (file: string): string[] =>
  [...proseOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The links of a document that lead to no file or heading. */
const brokenLinksOf = (document: string): string[] => {
  const links = [...proseOf(document).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? document : join(dirname(document), path);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
};

test('every link of a document leads to an existing file and heading', () => {
  expect(documents.length).toBeGreaterThan(30);
  const broken = documents.flatMap((document) => brokenLinksOf(document).map((link) => [document, link]));
  expect(broken).toEqual([]);
});

test('every test that a document names exists', () => {
  const named = documents.flatMap((document) =>
    [...readFileSync(join(root, document), 'utf8').matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = '']) => ({
      document,
      path,
    })),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
});
