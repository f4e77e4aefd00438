import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const groups = JSON.parse(readFileSync('web/src/i18n/textGroups.json', 'utf8')) as Record<string, string[]>;

test('every file of texts is in a group of pages, and groups name no others', () => {
  const files = readdirSync('web/src/texts/en').map((name) => name.replace('.json', ''));
  expect([...new Set(Object.values(groups).flat())].sort()).toEqual(files.sort());
});

test('each language has its built files: all groups, or those of guests', () => {
  const built = readdirSync('dist/web/assets').filter((name) => /^texts-.*\.js$/.test(name));
  const groupsIn = (language: string): string[] =>
    built
      .map((name) => new RegExp(`^texts-\\w+-${language}-([a-zA-Z]+)\\.js$`).exec(name)?.[1])
      .filter((name) => name !== undefined)
      .sort();
  expect(groupsIn('nl')).toEqual(Object.keys(groups).sort());
  expect(groupsIn('pt-BR')).toEqual(['guests', 'shared']);
});
