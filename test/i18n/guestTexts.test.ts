import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { guestTextKeys, guestTextsFolder, loadGuestTexts } from '../../src/i18n/guestTexts.js';
import { loadContract, webContractFile } from '../../src/contract/contract.js';

const languages = ['de', 'en', 'fr', 'es', 'it', 'nl', 'pl'] as const;

const fileOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(guestTextsFolder, `${language}.json`), 'utf8')) as Record<string, string>;
const bracesIn = (text = ''): string[] => [...text.matchAll(/\{\w+\}/g)].map(([braces]) => braces).sort();

test('there is a file for each language of the contract, and no other', () => {
  const { document } = loadContract(webContractFile);
  const { schemas } = document.components as { schemas?: Record<string, { enum?: string[] }> };
  expect(schemas?.['GuestLanguage']?.enum).toEqual(languages);
  expect(readdirSync(guestTextsFolder).sort()).toEqual(languages.map((name) => `${name}.json`).sort());
});

test.each(languages)('%s has every text, with the same words to fill in as English', (language) => {
  const texts = fileOf(language);
  const english = fileOf('en');
  expect(Object.keys(texts).sort()).toEqual([...guestTextKeys].sort());
  for (const key of guestTextKeys) {
    expect(texts[key]?.trim()).not.toBe('');
    expect([key, bracesIn(texts[key])]).toEqual([key, bracesIn(english[key])]);
  }
});

test.each([
  ['de', 4320, 'Gültig für 3 Tage ab der ersten Anmeldung'],
  ['de', 1440, 'Gültig für 1 Tag ab der ersten Anmeldung'],
  ['en', 1500, 'Valid for 1 day, 1 hour from the first sign-in'],
  ['en', 61, 'Valid for 1 hour, 1 minute from the first sign-in'],
  ['fr', 1440, 'Valable 1 jour dès la première connexion'],
  ['pl', 7200, 'Ważność od pierwszego logowania: 5 dni'],
] as const)('%s: %i minutes are "%s"', (language, minutes, text) => {
  expect(loadGuestTexts(language).validity(minutes).replaceAll('\u00A0', ' ')).toBe(text);
});

test('the number of uses is told in words', () => {
  expect([1, 1200].map(loadGuestTexts('de').uses)).toEqual(['Für eine Anmeldung', 'Für 1.200 Anmeldungen']);
});

test.each([
  ['de', 20_000, 512, 1500, 'Download bis 20 Mbit/s\nUpload bis 0,512 Mbit/s\nDatenvolumen: 1,5 GB'],
  ['en', 1500, 0, 500, 'Download up to 1.5 Mbit/s\nData: 500 MB'],
  ['fr', null, null, 20_000, 'Données : 20 Go'],
  ['pl', 0, 100_000, null, 'Wysyłanie do 100 Mb/s'],
] as const)('%s: speed and data are told in human units', (language, down, up, quotaMb, text) => {
  const told = loadGuestTexts(language).limits({ down, up, quotaMb });
  expect(told?.replaceAll(/[\u00A0\u202F]/g, ' ')).toBe(text);
});

test('without limits, or where none are known, nothing is told', () => {
  expect(loadGuestTexts('de').limits({ down: 0, up: null, quotaMb: 0 })).toBeNull();
});

test('a name in braces stays as it is', () => {
  expect(loadGuestTexts('en').get('stepJoin', { network: '{network}' })).toContain('“{network}”');
});
