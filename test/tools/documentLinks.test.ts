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

test.each(documents)('every link of %s leads to an existing file and heading', (document) => {
  const links = [...proseOf(document).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link);
  const broken = links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? document : join(dirname(document), path);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
  expect(broken).toEqual([]);
});
