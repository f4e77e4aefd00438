import type { MantineColorScheme } from '@mantine/core';
import { use } from 'react';
import { api } from '../api/api.ts';
import type { IconName } from '../components/Icon.tsx';
import { useLanguage } from '../i18n/language.tsx';
import type { PageLanguage } from '../i18n/pageLanguages.ts';
import { invalidate } from '../api/queryClient.ts';
import { UserContext } from '../session/session.ts';

export const colorSchemes: readonly (readonly [MantineColorScheme, IconName])[] = [
  ['auto', 'screen'],
  ['light', 'sun'],
  ['dark', 'moon'],
];

/** Changes the language at once, and keeps it with the user if somebody is signed in. */
export const useChooseLanguage = (): ((language: PageLanguage) => void) => {
  const { choose } = useLanguage();
  const user = use(UserContext);
  const keep = api.useMutation('put', '/account/language', { onSuccess: () => invalidate('/session') });
  return (language) => {
    choose(language);
    if (user) keep.mutate({ body: { language } });
  };
};
