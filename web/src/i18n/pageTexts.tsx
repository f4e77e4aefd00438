import { Suspense, use, useMemo, type ReactNode } from 'react';
import { IntlProvider, useMessages } from 'use-intl';
import { useLanguage, type Language } from './language.tsx';
import { loadOnline } from '../lib/lazyPart.ts';
import type { EnglishAdminTexts } from '../texts/enAdmin.ts';
import type { EnglishDeskTexts } from '../texts/enDesk.ts';
import type { EnglishLimitsTexts } from '../texts/enLimits.ts';
import type { EnglishOperationTexts } from '../texts/enOperation.ts';
import type { EnglishOverviewTexts } from '../texts/enOverview.ts';

/** Pages that share their texts. */
export type TextGroup = 'admin' | 'desk' | 'limits' | 'operation' | 'overview';
type GroupTexts =
  | EnglishAdminTexts
  | EnglishDeskTexts
  | EnglishLimitsTexts
  | EnglishOperationTexts
  | EnglishOverviewTexts;

const loaders: Readonly<Record<TextGroup, Readonly<Record<Language, () => Promise<GroupTexts>>>>> = {
  admin: {
    de: async () => (await import('../texts/deAdmin.ts')).germanAdminTexts,
    en: async () => (await import('../texts/enAdmin.ts')).englishAdminTexts,
  },
  desk: {
    de: async () => (await import('../texts/deDesk.ts')).germanDeskTexts,
    en: async () => (await import('../texts/enDesk.ts')).englishDeskTexts,
  },
  limits: {
    de: async () => (await import('../texts/deLimits.ts')).germanLimitsTexts,
    en: async () => (await import('../texts/enLimits.ts')).englishLimitsTexts,
  },
  operation: {
    de: async () => (await import('../texts/deOperation.ts')).germanOperationTexts,
    en: async () => (await import('../texts/enOperation.ts')).englishOperationTexts,
  },
  overview: {
    de: async () => (await import('../texts/deOverview.ts')).germanOverviewTexts,
    en: async () => (await import('../texts/enOverview.ts')).englishOverviewTexts,
  },
};

const loading = new Map<string, Promise<GroupTexts>>();

/** One promise per group and language, as `use` asks for. */
const loadGroup = (group: TextGroup, language: Language): Promise<GroupTexts> => {
  const name = `${group} ${language}`;
  const known = loading.get(name);
  if (known) return known;
  const texts = loadOnline(loaders[group][language]);
  loading.set(name, texts);
  // What could not be loaded is asked for again at the next try.
  texts.catch(() => loading.delete(name));
  return texts;
};

interface GroupTextsProps {
  readonly group: TextGroup;
  readonly children: ReactNode;
}

const WithTexts = ({ group, children }: GroupTextsProps) => {
  const { language } = useLanguage();
  const shared = useMessages();
  const own = use(loadGroup(group, language));
  const messages = useMemo(() => ({ ...shared, ...own }), [shared, own]);
  return (
    <IntlProvider locale={language} messages={messages}>
      {children}
    </IntlProvider>
  );
};

interface PageTextsProps extends GroupTextsProps {
  /** Shown until the texts are there. */
  readonly waiting: ReactNode;
}

/** Gives pages the texts of their group, which other pages need not load. */
export const PageTexts = ({ waiting, ...props }: PageTextsProps) => (
  <Suspense fallback={waiting}>
    <WithTexts {...props} />
  </Suspense>
);
