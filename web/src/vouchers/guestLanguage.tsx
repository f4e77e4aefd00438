import { createContext, useContext, useState, type ReactNode } from 'react';
import { isGuestLanguage, type GuestLanguage } from '../../../src/i18n/guestLanguages.ts';
import { useLanguage } from '../i18n/language.tsx';

type GuestLanguageChoice = readonly [GuestLanguage, (language: string) => void];

const GuestLanguageContext = createContext<GuestLanguageChoice | undefined>(undefined);

/** Around what is shown of one guest: the next guest begins with the language of the pages again. */
export const GuestLanguageProvider = ({ children }: { readonly children: ReactNode }) => {
  const { language } = useLanguage();
  const [chosen, choose] = useState('');
  const choice: GuestLanguageChoice = [isGuestLanguage(chosen) ? chosen : language, choose];
  return <GuestLanguageContext value={choice}>{children}</GuestLanguageContext>;
};

/** The language of what this guest gets to read, and how to change it. */
export const useGuestLanguage = (): GuestLanguageChoice => {
  const choice = useContext(GuestLanguageContext);
  if (!choice) throw new Error('useGuestLanguage needs a GuestLanguageProvider');
  return choice;
};
