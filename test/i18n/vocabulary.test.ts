import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { composeAccountEmail } from '../../src/email/accountEmail.js';
import { composeTestEmail } from '../../src/email/mailTest.js';
import { guestTextsFolder } from '../../src/i18n/guestTexts.js';
import { loadTexts } from '../../src/i18n/texts.js';
import { packageRoot } from '../../src/lib/packageRoot.js';

type Language = 'de' | 'en' | 'es' | 'fr' | 'it' | 'nl';

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
  fr: [
    [/(?<!UniFi )\bvouchers?\b/i, 'coupon'],
    [/(coupon|code).*(révo|annul|invalid)|(révo|annul|invalid).*(coupon|code)/i, 'bloquer'],
    [/courriel|(?<!e-)\bmails?\b/i, 'e-mail'],
    [/kiosque|totem/i, 'borne'],
    [/(?<![\p{L}/])(hôtes?|invités?|visiteurs?|usagers?)(?!\p{L})/iu, 'client'],
    [/\baccueil\b|guichet/i, 'réception'],
    [/sans fil|\bwifi\b(?![@.])/i, 'Wi-Fi'],
    [/gestionnaire/i, 'administrateur'],
    [/\b(générer|générez|émettre|émettez|émis)\b/i, 'créer'],
    [/\b(clef|clefs)\b/i, 'clé'],
    [/\b(imprimé|bon|billet)s?\b.*\bPDF\b/i, 'fiche'],
    [/droit d’accès|permissions?\b/i, 'droits'],
    [/identification unique/i, 'authentification unique (SSO)'],
    [/(?<![\p{L}-])(tu|toi|ton|ta|tes)(?![\p{L}-])/iu, 'vous, votre'],
    [/\w'\w/, 'l’apostrophe ’'],
  ],
  it: [
    [/coupon|\bbuon[oi]\b/i, 'voucher'],
    [/voucher.*(revoc|annulla)|(revoc|annulla).*voucher/i, 'bloccare'],
    [/(?<!e-)\bmails?\b/i, 'e-mail'],
    [/chiosc/i, 'totem'],
    [/\bclient[ei]\b|visitator/i, 'ospite'],
    [/accoglienza|portineria|\bsportell/i, 'reception'],
    [/senza fili|\bwifi\b(?![@.])/i, 'Wi-Fi'],
    [/\bgestore\b|responsabile/i, 'amministratore'],
    [/\b(generare|generato|generati|emettere)\b/i, 'creare'],
    [/tagliand|fogliett/i, 'biglietto'],
    [/\bluog(o|hi)\b(?! sicuro)|\bsito\b|\bsiti\b/i, 'sede'],
    [/\bdiritt[oi]\b/i, 'permessi'],
    [/\blog-?in\b/i, 'accesso'],
    [/\b(tu|tuo|tua|tuoi|tue|puoi|vuoi|devi)\b/i, 'Lei, Suo'],
    [/[.:;,] (aggiungi|scegli|crea|premi|inserisci|riprova|apri|chiedi)\b/i, 'l’infinito nelle frasi'],
    [/\w'\w/, 'l’apostrofo ’'],
  ],
  nl: [
    [/verstuur|verstuurd|versturen/i, 'verzenden'],
    [/\b(je|jij|jouw)\b/i, 'u, uw'],
  ],
};

/** In another sense; and the table of better sentences has the first one. */
const allowed = ['de/account.json choosePasswordText', 'fr/common.json toStart'];

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
  { kind: 'disabled-changed', isDisabled: true },
  { kind: 'disabled-changed', isDisabled: false },
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
    ...flatten(loadTexts(language), `texts/${language}.json`),
    ...flatten(composeTestEmail(language), 'test e-mail'),
    ...accountNotices.flatMap((notice) =>
      flatten(composeAccountEmail(notice, language, values), `e-mail ${notice.kind}`),
    ),
  ];
};

test.each(['de', 'en', 'es', 'fr', 'it', 'nl'] as const)(
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
