import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { findTextProblems, readTexts, webTextProblems } from '../../scripts/tasks/webTexts.mjs';
import { root } from '../support/built.js';

test('every text of the pages is used, and there in both languages', () => {
  expect(webTextProblems()).toEqual([]);
});

/** The messages of fields, and of answers that always say the same. */
const messagesIn = (node: unknown): string[] => {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node as Record<string, unknown>).flatMap(([name, value]) => {
    if (name !== 'x-message') return messagesIn(value);
    const messages = typeof value === 'string' ? [value] : Object.values(value as Record<string, string>);
    return messages.filter((message) => !message.includes('{'));
  });
};

test('every message of web.yaml has a text', () => {
  const contract: unknown = parse(readFileSync(join(root, 'web.yaml'), 'utf8'), {
    merge: true,
    maxAliasCount: -1,
  });
  const messages = [...new Set(messagesIn(contract))];
  expect(messages.length).toBeGreaterThan(20);
  expect(messages.filter((message) => !readTexts('en').has(`errors.${message}`))).toEqual([]);
});

test('a text that is missing, unused or filled in differently is found', () => {
  const texts = {
    de: new Map([
      ['keys.title', 'Schlüssel'],
      ['keys.old', 'Alt'],
      ['keys.state-valid', '{count, plural, one {# Tag} other {# Tage}}'],
    ]),
    en: new Map([
      ['keys.title', 'Keys'],
      ['keys.state-valid', '{days} days'],
      ['keys.extra', 'Extra'],
    ]),
  };
  const source = "t('keys.title'); t(`keys.state-${state}`); t('keys.none');";
  expect(findTextProblems(texts, source)).toEqual([
    'keys.extra is missing in de',
    'keys.none has no text',
    'keys.old is missing in en',
    'keys.old is not used',
    'keys.state-valid is filled in differently in de and en',
  ]);
});
