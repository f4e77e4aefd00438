import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { isObject } from '../../src/contract/document.js';

const textsOf = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(`web/src/texts/en/${name}`, 'utf8')) as Record<string, string>;

/** The errors that have a text: those of all pages, and those of one group of pages. */
const worded = new Set(
  readdirSync('web/src/texts/en').flatMap((name) =>
    Object.keys(textsOf(name)).flatMap((key) =>
      name === 'errors.json' ? [key] : key.startsWith('error-') ? [key.replace('error-', '')] : [],
    ),
  ),
);

/** What answers of the pages' API may say: a message, or one for each way in which a field can be wrong. */
const messagesIn = (node: unknown): readonly string[] => {
  if (Array.isArray(node)) return node.flatMap(messagesIn);
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key !== 'x-message') return messagesIn(value);
    return typeof value === 'string' ? [value] : Object.values(value as Record<string, string>);
  });
};

test('every message of the contract of the pages has a text', () => {
  const messages = messagesIn(parse(readFileSync('web.yaml', 'utf8'), { merge: true, maxAliasCount: -1 }));
  const fixed = messages.filter((message) => !message.includes('{'));
  expect(fixed.length).toBeGreaterThan(100);
  expect([...new Set(fixed)].filter((message) => !worded.has(message))).toEqual([]);
});
