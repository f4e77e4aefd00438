import { createContext, useCallback, useContext, useEffect, useRef, useState, type ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { directionOf } from '../../../src/i18n/guestLanguages.ts';
import { basePath } from '../api/serviceMeta.ts';
import type { Messages } from '../texts/messages.ts';
import { loadSharedTexts, type SharedTexts } from './loadTexts.ts';
import {
  guestLanguageOf,
  isPageLanguage,
  toPageLanguage,
  type Language,
  type PageLanguage,
} from './pageLanguages.ts';

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages;
    Locale: Language;
  }
}

const storageName = 'voucherd.language';

/** Kiosks and guest pages are read by guests, in the language of their browser, whatever staff chose in it. */
const isForGuests = (): boolean => /^\/(?:kiosk$|guest\/)/.test(location.pathname.slice(basePath.length));

/** What was chosen in this browser, else the first language of the browser that there are texts in. */
export const initialLanguage = (): Language => {
  if (isForGuests()) return guestLanguageOf(navigator.languages);
  const stored = localStorage.getItem(storageName);
  if (isPageLanguage(stored)) return stored;
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isPageLanguage) ?? 'en';
};

interface LanguageChoice {
  readonly language: Language;
  choose(language: PageLanguage): void;
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

/** Picks the reader's language out of what the service words itself; guests may read others, and get English. */
export const usePickText = (): (<T>(texts: Readonly<Record<PageLanguage, T>>) => T) => {
  const { language } = useLanguage();
  return (texts) => texts[toPageLanguage(language)];
};

interface LanguageProviderProps {
  readonly initial: { readonly language: Language; readonly texts: SharedTexts };
  readonly children: ReactNode;
}

/** Gives the pages their texts. A language that is chosen counts as soon as its texts are there. */
export const LanguageProvider = ({ initial, children }: LanguageProviderProps) => {
  const [{ language, texts }, setLoaded] = useState(initial);
  const latest = useRef(initial.language);
  const show = useCallback((chosen: Language) => {
    latest.current = chosen;
    void loadSharedTexts(chosen).then((loaded) => {
      // Texts that were asked for before may come after.
      if (latest.current === chosen) setLoaded({ language: chosen, texts: loaded });
    });
  }, []);
  const choose = useCallback(
    (chosen: PageLanguage) => {
      localStorage.setItem(storageName, chosen);
      show(chosen);
    },
    [show],
  );
  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dir = directionOf(language);
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
