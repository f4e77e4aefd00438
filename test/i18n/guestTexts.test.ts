import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { guestTextKeys, guestTextsFolder, loadGuestTexts } from '../../src/i18n/guestTexts.js';
import { webContractFile } from '../../src/config/packagedContracts.js';
import { loadContract } from '../../src/contract/contract.js';
import { guestLanguages, matchGuestLanguage } from '../../src/i18n/guestLanguages.js';
import { standardTextsOf } from '../../src/printing/standardTexts.js';

const fileOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(guestTextsFolder, `${language}.json`), 'utf8')) as Record<string, string>;
const bracesIn = (text = ''): string[] => [...text.matchAll(/\{\w+\}/g)].map(([braces]) => braces).sort();

test('there is a file for each language of the contract, and no other', () => {
  const { document } = loadContract(webContractFile);
  const { schemas } = document.components as {
    schemas?: Record<string, { enum?: string[]; properties?: object }>;
  };
  expect(schemas?.['GuestLanguage']?.enum).toEqual(guestLanguages);
  expect(Object.keys(schemas?.['OwnTextsByLanguage']?.properties ?? {})).toEqual(guestLanguages);
  expect(readdirSync(guestTextsFolder).sort()).toEqual(guestLanguages.map((name) => `${name}.json`).sort());
});

/** What is said in the same words in several languages. */
const shared = new Set(['Wi-Fi', 'Data: {amount}']);

test.each(guestLanguages)('%s has every text, with the same words to fill in as English', (language) => {
  const texts = fileOf(language);
  const english = fileOf('en');
  expect(Object.keys(texts).sort()).toEqual([...guestTextKeys].sort());
  for (const key of guestTextKeys) {
    expect(texts[key]?.trim()).not.toBe('');
    expect([key, bracesIn(texts[key])]).toEqual([key, bracesIn(english[key])]);
    if (language !== 'en' && !shared.has(english[key] ?? '')) expect(texts[key]).not.toBe(english[key]);
  }
});

test.each([
  ['de', 4320, 'Gültig für 3 Tage ab der ersten Anmeldung'],
  ['de', 1440, 'Gültig für 1 Tag ab der ersten Anmeldung'],
  ['en', 1500, 'Valid for 1 day, 1 hour from the first sign-in'],
  ['en', 61, 'Valid for 1 hour, 1 minute from the first sign-in'],
  ['fr', 1440, 'Valable 1 jour dès la première connexion'],
  ['pl', 7200, 'Ważność od pierwszego logowania: 5 dni'],
  ['cs', 1440, 'Platnost od prvního přihlášení: 1 den'],
  ['fi', 2880, 'Voimassa ensimmäisestä kirjautumisesta: 2 päivää'],
  ['ru', 7200, 'Срок действия с первого входа: 5 дней'],
  ['sr', 1500, 'Важи од прве пријаве: 1 дан и 1 сат'],
  ['fa', 4320, 'اعتبار از نخستین ورود: \u2068۳ روز\u2069'],
] as const)('%s: %i minutes are "%s"', (language, minutes, text) => {
  expect(loadGuestTexts(language).validity(minutes).replaceAll('\u00A0', ' ')).toBe(text);
});

test.each(guestLanguages)('%s: no line ends between a number and its unit', (language) => {
  const texts = loadGuestTexts(language);
  const told = [
    texts.validity(4385),
    texts.limits({ down: 20_000, up: 5000, quotaMb: 1500 }),
    texts.uses(1200),
  ].join('\n');
  expect(told).not.toMatch(/\p{Nd}\u2069? /u);
});

test.each(guestLanguages)('%s: no limit, and a time that is not known, are no zero', (language) => {
  const texts = loadGuestTexts(language);
  expect(texts.uses(0)).not.toMatch(/\p{Nd}|[{}]/u);
  expect(texts.validity(0)).toBe('');
});

test('French has a blank that does not break before colons and inside of quotation marks', () => {
  expect(Object.values(fileOf('fr')).join('\n')).not.toMatch(/ [:;?!»]|« /);
});

test('the number of uses is told in words', () => {
  expect([1, 1200, 0].map(loadGuestTexts('de').uses)).toEqual([
    'Für eine Anmeldung',
    'Für 1.200\u00A0Anmeldungen',
    'Für beliebig viele Anmeldungen',
  ]);
});

test.each([
  ['de', 20_000, 512, 1500, 'Download bis 20 Mbit/s\nUpload bis 0,512 Mbit/s\nDatenvolumen: 1,5 GB'],
  ['en', 1500, 0, 500, 'Download up to 1.5 Mbit/s\nData: 500 MB'],
  ['fr', null, null, 20_000, 'Données : 20 Go'],
  ['pl', 0, 100_000, null, 'Wysyłanie do 100 Mb/s'],
  ['ru', null, null, 1500, 'Объём данных: 1,5 ГБ'],
  ['fa', null, null, 1500, 'حجم داده: \u2068۱٫۵ گیگابایت\u2069'],
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

test('what is filled into a Persian text can not tear it apart, and its placeholders stay what they are', () => {
  const texts = loadGuestTexts('fa');
  expect(texts.get('stepJoin', { network: 'Hotel (5G)!' })).toContain('«\u2068Hotel (5G)!\u2069»');
  expect(standardTextsOf(texts).slipSteps).toMatch(/^۱\. .*«\{wifi\}».*\n۲\. /);
});

test.each([
  [['de-AT', 'en'], 'de'],
  [['pt-BR'], 'pt-BR'],
  [['pt-PT'], 'pt'],
  [['pt'], 'pt'],
  [['sr-Latn-RS'], 'sr'],
  [['zh-CN', 'fa-IR'], 'fa'],
  [['zh', ''], undefined],
  [[], undefined],
])('of the languages %p of a browser, guests read %s', (tags, language) => {
  expect(matchGuestLanguage(tags)).toBe(language);
});
