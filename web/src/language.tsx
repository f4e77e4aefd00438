import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import type { EnglishTexts } from './texts/en.ts';

export const languages = ['de', 'en'] as const;
export type Language = (typeof languages)[number];

declare module 'use-intl' {
  interface AppConfig {
    Messages: EnglishTexts;
    Locale: Language;
  }
}

const storageName = 'voucherd.language';

export const isLanguage = (text: unknown): text is Language => text === 'de' || text === 'en';

/** What was chosen in this browser, else the first language of the browser that there are texts in. */
export const initialLanguage = (): Language => {
  const stored = localStorage.getItem(storageName);
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en';
};

/** Each language is a file of its own. */
export const loadTexts = async (language: Language): Promise<EnglishTexts> =>
  language === 'de'
    ? (await import('./texts/de.ts')).germanTexts
    : (await import('./texts/en.ts')).englishTexts;

interface LanguageChoice {
  readonly language: Language;
  choose(language: Language): void;
}

const LanguageContext = createContext<LanguageChoice | undefined>(undefined);

/** The language of the pages, and how to change it. */
export const useLanguage = (): LanguageChoice => {
  const choice = useContext(LanguageContext);
  if (!choice) throw new Error('useLanguage needs a LanguageProvider');
  return choice;
};

/** Picks the reader's language out of what the service says in both. */
export const usePickText = (): ((texts: Readonly<Record<Language, string>>) => string) => {
  const { language } = useLanguage();
  return (texts) => texts[language];
};

interface LanguageProviderProps {
  readonly initial: { readonly language: Language; readonly texts: EnglishTexts };
  readonly children: ReactNode;
}

/** Gives the pages their texts. A language that is chosen counts as soon as its texts are there. */
export const LanguageProvider = ({ initial, children }: LanguageProviderProps) => {
  const [{ language, texts }, setLoaded] = useState(initial);
  const choose = useCallback((chosen: Language) => {
    localStorage.setItem(storageName, chosen);
    void loadTexts(chosen).then((loaded) => setLoaded({ language: chosen, texts: loaded }));
  }, []);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <LanguageContext value={{ language, choose }}>
      <IntlProvider
        locale={language}
        messages={texts}
        timeZone={Intl.DateTimeFormat().resolvedOptions().timeZone}
      >
        {children}
      </IntlProvider>
    </LanguageContext>
  );
};
