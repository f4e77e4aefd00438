import { expect, test } from '@jest/globals';
import { en } from '../../src/i18n/en.js';
import { pageLanguages } from '../../src/i18n/language.js';
import { splitMessage, wordMessage } from '../../src/i18n/messages.js';
import { loadTexts } from '../../src/i18n/texts.js';
import { composeTestEmail } from '../../src/email/mailTest.js';

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;

const namesIn = (text = ''): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
const english: Table = en;

test.each(pageLanguages)(
  '%s words everything that the service says, with values that are always there',
  (language) => {
    const table: Table = loadTexts(language);
    expect(Object.keys(table).sort()).toEqual(Object.keys(english).sort());
    for (const [kind, codes] of Object.entries(english)) {
      expect(Object.keys(table[kind] ?? {}).sort()).toEqual(Object.keys(codes).sort());
      for (const [code, text] of Object.entries(codes)) {
        const translated = table[kind]?.[code] ?? '';
        expect([kind, code, text === '' || translated.trim() !== '']).toEqual([kind, code, true]);
        // Only English has texts of its own for the operator.
        const known = namesIn(kind === 'failureDetail' ? `${english['failure']?.[code] ?? ''}${text}` : text);
        expect([kind, code, namesIn(translated).filter((name) => !known.includes(name))]).toEqual([
          kind,
          code,
          [],
        ]);
      }
    }
  },
);

test('French has a blank that does not break before colons', () => {
  const texts = Object.values<Record<string, string>>(loadTexts('fr')).flatMap((codes) =>
    Object.values(codes),
  );
  expect(texts.filter((text) => /\S [:;?!»]|« /u.test(text))).toEqual([]);
});

test('a reason is worded in every language of the pages, each in its own words', () => {
  const texts = wordMessage('email', { code: 'credentials', values: {} });
  expect(Object.keys(texts).sort()).toEqual([...pageLanguages].sort());
  expect(new Set(Object.values(texts)).size).toBe(pageLanguages.length);
  expect(texts.nl).toBe(loadTexts('nl').email.credentials);
});

test('a time in a message is a value, and a name that reads like one is text', () => {
  const name = '2026-11-14T09:30:00Z';
  const attempt = { code: 'answered', values: { status: 500 } } as const;
  const { en: parts } = splitMessage('finding', {
    code: 'delivery-failed',
    values: { name, time: { at: 1_700_000_000_000 }, attempt },
  });
  expect(parts.map(({ at }) => at)).toEqual([1_700_000_000_000, null]);
  expect(parts[0]?.text).toContain(name);
});

test('a time within a message within a message is in UTC where only a text can stand', () => {
  const { en: text } = wordMessage('finding', {
    code: 'demo-key',
    values: { prefix: 'uvt_00000000', demoValidity: { code: 'until', values: { time: { at: 0 } } } },
  });
  expect(text).toContain('until 1970-01-01T00:00:00Z');
});

test.each(pageLanguages)('a test e-mail is in %s', (language) => {
  expect(composeTestEmail(language).html).toContain(`lang="${language}"`);
});
