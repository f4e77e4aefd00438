import { expect, test } from '@jest/globals';
import { findTextProblems, webTextProblems } from '../../scripts/tasks/webTexts.mjs';

const compare = (german: string, french: string): string[] =>
  findTextProblems(
    { de: new Map([['sites.zone', german]]), fr: new Map([['sites.zone', french]]) },
    "t('sites.zone')",
  );

test('the texts of the pages agree in all languages, and each is used', () => {
  expect(webTextProblems()).toEqual([]);
});

test('a text that is filled in differently in any language is found', () => {
  expect(compare('Zone {name}', 'Zone {nom}')).toEqual(['sites.zone is filled in differently in de and fr']);
  expect(compare('{name}', '{name} ({name})')).toEqual([]);
  expect(findTextProblems({ de: new Map([['sites.zone', 'x']]), nl: new Map() }, "t('sites.zone')")).toEqual([
    'sites.zone is missing in nl',
  ]);
});

test('the cases of a plural are no placeholders, and words that end like one are no cases', () => {
  const german = '{count, plural, one {eine Zone} =12 {ein Dutzend} other {# Zonen}}';
  expect(compare(german, '{count, plural, one {une} other {#}}')).toEqual([]);
  expect(compare('{count, plural, one {a} other {b}}', 'zone {count}')).toEqual([]);
  // "one {" inside of a word once hid the brace of a placeholder.
  expect(compare('Der Ort', 'zone {nom}')).toEqual(['sites.zone is filled in differently in de and fr']);
});
