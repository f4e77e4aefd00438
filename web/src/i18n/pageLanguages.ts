import {
  guestLanguageNames,
  localeOf,
  matchGuestLanguage,
  type GuestLanguage,
} from '../../../src/i18n/guestLanguages.ts';

/** A language in which something can be shown: kiosks and guest pages have all of those that guests read. */
export type Language = GuestLanguage;

/** The languages of all other pages. */
export const languages = ['de', 'en', 'es', 'fr', 'it', 'nl'] as const satisfies readonly Language[];
export type PageLanguage = (typeof languages)[number];

export const isPageLanguage = (text: unknown): text is PageLanguage =>
  languages.some((language) => language === text);

/** Each in its own words, so that it is found by those who read nothing else. */
export const languageNames: Readonly<Record<Language, string>> = guestLanguageNames;

/** How dates and numbers are written. */
export const pageLocaleOf = (language: Language): string =>
  language === 'en' ? 'en-GB' : language === 'de' ? 'de-DE' : localeOf(language);

/** The language of a browser in which guests read, or English. */
export const guestLanguageOf = (tags: readonly string[]): Language => matchGuestLanguage(tags) ?? 'en';

/** The language of what all other pages have beside kiosks and guest pages: their files, webhooks and users. */
export const toPageLanguage = (language: Language): PageLanguage =>
  isPageLanguage(language) ? language : 'en';
