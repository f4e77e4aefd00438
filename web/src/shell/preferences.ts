import type { MantineColorScheme } from '@mantine/core';
import { use } from 'react';
import { api } from '../api/api.ts';
import type { IconName } from '../components/Icon.tsx';
import { useLanguage, type Language } from '../i18n/language.tsx';
import { invalidate } from '../api/queryClient.ts';
import { UserContext } from '../session/session.ts';

/** Each in its own words, so that it is found by those who read nothing else. */
export const languageNames: Readonly<Record<Language, string>> = { de: 'Deutsch', en: 'English' };

export const colorSchemes: readonly (readonly [MantineColorScheme, IconName])[] = [
  ['auto', 'screen'],
  ['light', 'sun'],
  ['dark', 'moon'],
];

/** Changes the language at once, and keeps it with the user if somebody is signed in. */
export const useChooseLanguage = (): ((language: Language) => void) => {
  const { choose } = useLanguage();
  const user = use(UserContext);
  const keep = api.useMutation('put', '/account/language', { onSuccess: () => invalidate('/session') });
  return (language) => {
    choose(language);
    if (user) keep.mutate({ body: { language } });
  };
};
