import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import type { EnglishTexts } from '../texts/en.ts';
import type { EnglishAdminTexts } from '../texts/enAdmin.ts';
import type { EnglishDeskTexts } from '../texts/enDesk.ts';
import type { EnglishLimitsTexts } from '../texts/enLimits.ts';
import type { EnglishOperationTexts } from '../texts/enOperation.ts';
import type { EnglishOverviewTexts } from '../texts/enOverview.ts';

export const languages = ['de', 'en'] as const;
export type Language = (typeof languages)[number];

declare module 'use-intl' {
  interface AppConfig {
    Messages: EnglishTexts &
      EnglishAdminTexts &
      EnglishDeskTexts &
      EnglishLimitsTexts &
      EnglishOperationTexts &
      EnglishOverviewTexts;
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
    ? (await import('../texts/de.ts')).germanTexts
    : (await import('../texts/en.ts')).englishTexts;

interface LanguageChoice {
  readonly language: Language;
  choose(language: Language): void;
  /** Changes the language for now: for guests, whose choice is not kept. */
  show(language: Language): void;
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
  const show = useCallback((chosen: Language) => {
    void loadTexts(chosen).then((loaded) => setLoaded({ language: chosen, texts: loaded }));
  }, []);
  const choose = useCallback(
    (chosen: Language) => {
      localStorage.setItem(storageName, chosen);
      show(chosen);
    },
    [show],
  );
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <LanguageContext value={{ language, choose, show }}>
      <IntlProvider
        locale={language}
        // Other pages add theirs: PageTexts.
        messages={texts}
        timeZone={Intl.DateTimeFormat().resolvedOptions().timeZone}
      >
        {children}
      </IntlProvider>
    </LanguageContext>
  );
};
