import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import compile from 'icu-minify/compile';
import { guestLanguages } from '../../src/i18n/guestLanguages.js';
import { pageLanguages } from '../../src/i18n/language.js';

const folder = 'web/src/texts';
const namesIn = (language: string): string[] => readdirSync(`${folder}/${language}`).sort();
const textsOf = (language: string, name: string): Record<string, string> =>
  JSON.parse(readFileSync(`${folder}/${language}/${name}`, 'utf8')) as Record<string, string>;

/** The names of what is filled in, at any depth, without the cases of a plural. */
const placeholdersIn = (text = ''): string[] => {
  const withoutCases = text.replaceAll(/(?:=\d|\b(?:zero|one|two|few|many|other)) \{/g, '');
  return [...new Set([...withoutCases.matchAll(/\{(\w+)[,}]/g)].map(([, name = '']) => name))].sort();
};

test('there are texts in each language of the pages, and in each language of guests', () => {
  const found = readdirSync(folder).filter((name) => !name.endsWith('.ts'));
  expect(found.sort()).toEqual([...new Set([...pageLanguages, ...guestLanguages])].sort());
});

test.each(pageLanguages)('%s has every text of the pages', (language) => {
  expect(namesIn(language)).toEqual(namesIn('en'));
  for (const name of namesIn('en'))
    expect([name, Object.keys(textsOf(language, name)).sort()]).toEqual([
      name,
      Object.keys(textsOf('en', name)).sort(),
    ]);
});

const guestOnly = guestLanguages.filter((name) => !pageLanguages.some((language) => language === name));

test.each(guestOnly)(
  '%s has every text of kiosks and guest pages, and none that English lacks',
  (language) => {
    for (const name of ['guest.json', 'kiosk.json'])
      expect(Object.keys(textsOf(language, name)).sort()).toEqual(Object.keys(textsOf('en', name)).sort());
    for (const name of namesIn(language)) {
      const english = textsOf('en', name);
      expect(Object.keys(textsOf(language, name)).filter((key) => !(key in english))).toEqual([]);
    }
  },
);

test.each(guestLanguages)(
  '%s fills in what English fills in, in valid texts of a usable length',
  (language) => {
    for (const name of namesIn(language)) {
      const [english, german] = [textsOf('en', name), textsOf('de', name)];
      for (const [key, text] of Object.entries(textsOf(language, name))) {
        expect(() => compile(text)).not.toThrow();
        expect([name, key, placeholdersIn(text)]).toEqual([name, key, placeholdersIn(english[key])]);
        const longest = Math.max(english[key]?.length ?? 0, german[key]?.length ?? 0);
        // Short texts stand on buttons and badges.
        expect([name, key, text.length <= longest * 2 + 12]).toEqual([name, key, true]);
      }
    }
  },
);

test.each(guestOnly)('%s leaves no text of kiosks and guest pages in English', (language) => {
  for (const name of ['guest.json', 'kiosk.json']) {
    const english = textsOf('en', name);
    const same = Object.entries(textsOf(language, name)).filter(([key, text]) => text === english[key]);
    expect(same.filter(([key]) => !(language === 'da' && key === 'send'))).toEqual([]);
  }
});
