/** The languages of notifications, and of CSV files. */
export const languages = ['de', 'en'] as const;

export type Language = (typeof languages)[number];

/** The languages of the web UI, of why something failed, and of e-mails to its users. Guests have more: see guestLanguages. */
export const pageLanguages = ['de', 'en', 'es', 'fr', 'it', 'nl'] as const;
export type PageLanguage = (typeof pageLanguages)[number];

export const isPageLanguage = (text: string): text is PageLanguage =>
  (pageLanguages as readonly string[]).includes(text);

export const isLanguage = (text: string): text is Language => (languages as readonly string[]).includes(text);

/** The same text in every language of the web UI. */
export type Texts = Readonly<Record<PageLanguage, string>>;
