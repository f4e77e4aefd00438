import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import compile from 'icu-minify/compile';
import { guestLanguages } from '../../src/i18n/guestLanguages.js';
import { pageLanguages } from '../../src/i18n/language.js';

const folder = 'web/src/texts';
const namesIn = (language: string): string[] => readdirSync(`${folder}/${language}`).sort();
const textsOf = (language: string, name: string): Record<string, string> =>
  JSON.parse(readFileSync(`${folder}/${language}/${name}`, 'utf8')) as Record<string, string>;

test('there are texts in each language of the pages, and in each language of guests', () => {
  const found = readdirSync(folder).filter((name) => !name.endsWith('.ts'));
  expect(found.sort()).toEqual([...new Set([...pageLanguages, ...guestLanguages])].sort());
});

const guestOnly = guestLanguages.filter((name) => !pageLanguages.some((language) => language === name));

/** Language, file and key of each text of guests that a test finds wrong. `npm run build` compares their keys. */
const findTexts = (
  languages: readonly string[],
  isWrong: (text: string, english: string, german: string) => boolean,
): string[] =>
  languages.flatMap((language) =>
    namesIn(language).flatMap((name) => {
      const [english, german] = [textsOf('en', name), textsOf('de', name)];
      return Object.entries(textsOf(language, name))
        .filter(([key, text]) => isWrong(text, english[key] ?? '', german[key] ?? ''))
        .map(([key]) => `${language} ${name} ${key}`);
    }),
  );

test('every language of guests has all texts of kiosks and guest pages', () => {
  for (const language of guestOnly)
    for (const name of ['guest.json', 'kiosk.json'])
      expect([language, Object.keys(textsOf(language, name)).sort()]).toEqual([
        language,
        Object.keys(textsOf('en', name)).sort(),
      ]);
});

test('every text is valid', () => {
  const isBroken = (text: string): boolean => {
    try {
      compile(text);
      return false;
    } catch {
      return true;
    }
  };
  expect(findTexts(guestLanguages, isBroken)).toEqual([]);
});

test('every text has a usable length: short ones stand on buttons and badges', () => {
  const isLong = (text: string, english: string, german: string) =>
    text.length > Math.max(english.length, german.length) * 2 + 12;
  expect(findTexts(guestLanguages, isLong)).toEqual([]);
});

test('no text of guests is left in English', () => {
  const same = findTexts(guestOnly, (text, english) => text === english);
  expect(same.filter((found) => /(guest|kiosk)\.json/.test(found) && !/^da \S+ send$/.test(found))).toEqual(
    [],
  );
});
