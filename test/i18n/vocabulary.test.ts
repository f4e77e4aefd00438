import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { composeAccountEmail } from '../../src/email/accountEmail.js';
import { composeTestEmail } from '../../src/email/testEmail.js';
import { de } from '../../src/i18n/de.js';
import { en } from '../../src/i18n/en.js';
import { es } from '../../src/i18n/es.js';
import { nl } from '../../src/i18n/nl.js';
import { guestTextsFolder } from '../../src/i18n/guestTexts.js';
import { packageRoot } from '../../src/lib/packageRoot.js';

type Language = 'de' | 'en' | 'es' | 'nl';

/** One word for one thing: what must not be said, and what is said instead. */
const forbidden: Readonly<Record<Language, readonly (readonly [RegExp, string])[]>> = {
  de: [
    [/widerruf/i, 'sperren'],
    [/auftrag|aufträg/i, 'Bestellung'],
    [/anleg|angelegt|\blegt\b.*\ban\b|erzeug/i, 'erstellen'],
    [/administration(?!s)/i, 'Administrator'],
    [/einmalanmeldung/i, 'Single Sign-on'],
    [/anmeldedienst/i, 'Identitätsanbieter'],
    [/zugeteilt|zuteil|zuzuteil/i, 'zuweisen'],
    [/scheiter/i, 'fehlschlagen'],
    [/\bgasts\b/i, 'Gastes'],
    [/das (sind|entspricht) \{duration/i, 'Ergibt'],
    [/ganzes bild/i, 'Vollbild'],
    [/\b(du|dir|dich|dein\w*)\b/i, 'Sie'],
  ],
  en: [
    [/any more\b|no more\.$/i, 'no longer'],
    [/^Own |^May$|^Course\b/, 'Custom, Permissions, Trend'],
    [/(this|that|these) (is|are) no (?!longer)/i, 'this is not a'],
    [/wireless network/i, 'Wi-Fi'],
    [/your administrator/i, 'an administrator'],
    [/what became of it|become of it/i, 'outcome'],
    [/issues? (the )?voucher|(make|making|made) (a |the )?(voucher|order|user|account)/i, 'create'],
    [/can't/, 'can’t'],
  ],
  es: [
    [/\bfichas?\b/i, 'vale impreso'],
    [/\brevoc/i, 'anular'],
    [/\b(tú|tus?|tuyo|tuya)\b/i, 'su'],
  ],
  nl: [
    [/verstuur|verstuurd|versturen/i, 'verzenden'],
    [/\b(je|jij|jouw)\b/i, 'u, uw'],
  ],
};

/** The table of better sentences has this one. */
const allowed = ['de/account.json choosePasswordText'];

const flatten = (value: unknown, path: string): [string, string][] =>
  typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value as object).flatMap(([key, inner]) => flatten(inner, `${path} ${key}`));

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

const accountNotices = [
  { kind: 'password-reset' },
  { kind: 'no-password' },
  { kind: 'invitation', invitedBy: 'Mira' },
  { kind: 'role-changed', role: 'admin' },
  { kind: 'sites-changed' },
  { kind: 'password-changed' },
  { kind: 'email-changed' },
  { kind: 'second-factor-changed', isInUse: true },
  { kind: 'new-browser', address: '192.0.2.1', browser: null },
] as const;

const textsOf = (language: Language): [string, string][] => {
  const folder = join(packageRoot, 'web/src/texts', language);
  const brand = { title: null, linkColour: null, logo: null };
  const values = { name: 'Jonas', url: 'https://wifi.example.org', link: undefined, time: '12:00', brand };
  return [
    ...readdirSync(folder).flatMap((file) => flatten(readJson(join(folder, file)), `${language}/${file}`)),
    ...flatten(readJson(join(guestTextsFolder, `${language}.json`)), `guests/${language}.json`),
    ...flatten({ de, en, es, nl }[language], `src/i18n/${language}.ts`),
    ...flatten(composeTestEmail(language), 'test e-mail'),
    ...accountNotices.flatMap((notice) =>
      flatten(composeAccountEmail(notice, language, values), `e-mail ${notice.kind}`),
    ),
  ];
};

test.each(['de', 'en', 'es', 'nl'] as const)(
  'texts of the language %s use one word for one thing',
  (language) => {
    const texts = textsOf(language);
    expect(texts.length).toBeGreaterThan(1000);
    const wrong = texts.flatMap(([path, text]) =>
      forbidden[language].flatMap(([pattern, better]) =>
        pattern.test(text) && !allowed.includes(path) ? [`${path}: "${text}": better ${better}`] : [],
      ),
    );
    expect(wrong).toEqual([]);
  },
);
