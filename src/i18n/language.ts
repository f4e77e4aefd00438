/** The languages of the web UI and of all that its users read. Guests have more: see guestLanguages. */
export const pageLanguages = ['de', 'en', 'es', 'fr', 'it', 'nl'] as const;
export type PageLanguage = (typeof pageLanguages)[number];

export const isPageLanguage = (text: string): text is PageLanguage =>
  (pageLanguages as readonly string[]).includes(text);

/** The same text in every language of the web UI. */
export type Texts = Readonly<Record<PageLanguage, string>>;
