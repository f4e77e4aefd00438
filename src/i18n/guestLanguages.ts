/**
 * The languages that guests read, each named in its own words. The contract has the same list. Serbian is
 * Cyrillic, as browsers and `Intl` understand `sr`, and as guests of other voucher services know it.
 */
export const guestLanguageNames = {
  de: 'Deutsch',
  en: 'English',
  cs: 'Čeština',
  da: 'Dansk',
  es: 'Español',
  fa: 'فارسی',
  fi: 'Suomi',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português',
  'pt-BR': 'Português (Brasil)',
  ru: 'Русский',
  sr: 'Српски',
} as const;

/** A language that guests read. */
export type GuestLanguage = keyof typeof guestLanguageNames;

export const guestLanguages = Object.keys(guestLanguageNames) as readonly GuestLanguage[];

export const isGuestLanguage = (text: unknown): text is GuestLanguage =>
  typeof text === 'string' && Object.hasOwn(guestLanguageNames, text);

export type TextDirection = 'ltr' | 'rtl';

/** In which direction a language is written. */
export const directionOf = (language: GuestLanguage): TextDirection => (language === 'fa' ? 'rtl' : 'ltr');

/** What stands between a label and its value. */
export const colonOf = (language: GuestLanguage): string => (language === 'fr' ? '\u00A0:' : ':');

/** What `Intl` calls it: by itself, `pt` would be Brazilian. */
export const localeOf = (language: GuestLanguage): string => (language === 'pt' ? 'pt-PT' : language);

/** The first of a browser's languages that there are texts in: `pt-BR` and `pt` differ, `de-AT` is German. */
export const matchGuestLanguage = (tags: readonly string[]): GuestLanguage | undefined => {
  for (const tag of tags) {
    const [language = '', ...more] = tag.toLowerCase().split('-');
    if (language === 'pt' && more.includes('br')) return 'pt-BR';
    if (isGuestLanguage(language)) return language;
  }
  return undefined;
};

/** Text of any direction inside of a right-to-left text, which it must not tear apart. */
export const isolate = (text: string): string => `\u2068${text}\u2069`;

/** Text that is read from the left, character by character, such as a password. */
export const isolateLeftToRight = (text: string): string => `\u2066${text}\u2069`;
