import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/built.js';

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(root, 'src', name), 'utf8'))
  .join('\n');

test('every text that docs/troubleshooting.md quotes is one that the program prints', () => {
  const document = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8');
  const quoted = [...document.matchAll(/^\| `([^`]+)`/gm)].map(([, text = '']) => text);
  expect(quoted.length).toBeGreaterThan(20);
  const missing = quoted.flatMap((text) =>
    text
      .split('…')
      // Punctuation alone would be found anywhere.
      .filter((part) => /\w{3}/.test(part) && !sources.includes(part))
      .map((part) => [text, part]),
  );
  expect(missing).toEqual([]);
});
