import { describe, expect, test } from '@jest/globals';
import {
  fillOwnText,
  findTextProblems,
  mergeOwnTexts,
  ownTextNames,
  ownTextRules,
  toOwnTexts,
} from '../../src/sites/ownTexts.js';
import { testCases } from '../support/cases.js';

const values = { site: 'Hotel {code}', wifi: 'Gäste', password: '', code: '12345-67890', name: '<b>$&</b>' };

describe('a text that is filled in', () => {
  testCases([
    ['Ihr Code: {code}', 'Ihr Code: 12345-67890'],
    ['values are text: {site} {name}', 'values are text: Hotel {code} <b>$&</b>'],
    ['a brace } or { alone stays', 'a brace } or { alone stays'],
    ['WLAN {wifi}\nPasswort: {password}\nEnde', 'WLAN Gäste\nEnde'],
    ['{password}', ''],
  ])('has its values in place of its names', (text, filled) => {
    expect(fillOwnText(text, values)).toBe(filled);
  });
});

testCases([
  ['{sites}', 1, 1],
  ['Hallo {Code}', 1, 7],
  ['eins\n😀 {constructor}', 2, 3],
  ['{}', 1, 1],
  ['{ code }', 1, 1],
])('what can not be filled in is found with its place', (slipText, line, column) => {
  expect(findTextProblems({ de: { slipText } })).toEqual([
    { language: 'de', name: 'slipText', line, column, found: expect.stringMatching(/^\{.*\}$/) },
  ]);
  expect(() => toOwnTexts({ de: { slipText } })).toThrow(
    expect.objectContaining({ code: 'placeholder-unknown', kind: 'invalid' }),
  );
});

test('a kiosk shows its texts before there is a code, and a subject has no secret', () => {
  for (const [name, text] of [
    ['kioskText', '{code}'],
    ['kioskTitle', '{password}'],
    ['emailSubject', '{password}'],
    ['emailSubject', '{code}'],
  ] as const)
    expect(findTextProblems({ en: { [name]: text } })).toHaveLength(1);
});

test('empty texts are not stored, and lines end in one way', () => {
  expect(toOwnTexts({ de: { slipText: ' a\r\nb ', emailText: '  ' }, en: { slipText: '' } })).toEqual({
    de: { slipText: 'a\nb' },
  });
});

testCases(ownTextNames)('each has a longest length, and no control characters', (name) => {
  const { maxCharacters } = ownTextRules[name];
  const longest = '😀'.repeat(maxCharacters);
  expect(toOwnTexts({ de: { [name]: longest } })).toEqual({ de: { [name]: longest } });
  for (const text of [`${longest}x`, 'x'.repeat(65_536), 'a\u0000b', 'a\u001B[31m', 'a\uD800b'])
    expect(() => toOwnTexts({ de: { [name]: text } })).toThrow(
      expect.objectContaining({ code: 'own-text-invalid' }),
    );
});

test('the text of a site comes before the one for all sites, in the same language', () => {
  const forAll = { de: { slipText: 'alle', emailText: 'alle' }, en: { slipText: 'all' } };
  expect(mergeOwnTexts('de', forAll, { de: { slipText: 'hier' } })).toEqual({
    ...{ slipText: 'hier', emailText: 'alle' },
  });
  expect(mergeOwnTexts('fr', forAll, undefined)).toEqual({});
});
