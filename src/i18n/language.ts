/** The languages that users of the web UI and readers of notifications may choose. Guests have more: see guestTexts. */
export const languages = ['de', 'en'] as const;

export type Language = (typeof languages)[number];

export const isLanguage = (text: string): text is Language => (languages as readonly string[]).includes(text);

/** The same text in every language. */
export type Texts = Readonly<Record<Language, string>>;
