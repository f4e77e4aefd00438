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
export type TextGroup =
  | 'controllers'
  | 'desk'
  | 'keys'
  | 'kiosks'
  | 'limits'
  | 'operation'
  | 'overview'
  | 'printers'
  | 'profiles'
  | 'sites'
  | 'sms'
  | 'users'
  | 'webhooks';
type GroupTexts = Partial<
  EnglishAdminTexts & EnglishDeskTexts & EnglishLimitsTexts & EnglishOperationTexts & EnglishOverviewTexts
>;

const loaders: Readonly<Record<TextGroup, Readonly<Record<Language, () => Promise<GroupTexts>>>>> = {
  controllers: {
    de: async () => ({ controllers: (await import('../texts/de/controllers.json')).default }),
    en: async () => ({ controllers: (await import('../texts/en/controllers.json')).default }),
  },
  keys: {
    de: async () => ({ keys: (await import('../texts/de/keys.json')).default }),
    en: async () => ({ keys: (await import('../texts/en/keys.json')).default }),
  },
  kiosks: {
    de: async () => ({ kiosks: (await import('../texts/de/kiosks.json')).default }),
    en: async () => ({ kiosks: (await import('../texts/en/kiosks.json')).default }),
  },
  printers: {
    de: async () => ({
      desk: (await import('../texts/de/desk.json')).default,
      printers: (await import('../texts/de/printers.json')).default,
      profiles: (await import('../texts/de/profiles.json')).default,
    }),
    en: async () => ({
      desk: (await import('../texts/en/desk.json')).default,
      printers: (await import('../texts/en/printers.json')).default,
      profiles: (await import('../texts/en/profiles.json')).default,
    }),
  },
  profiles: {
    de: async () => ({ profiles: (await import('../texts/de/profiles.json')).default }),
    en: async () => ({ profiles: (await import('../texts/en/profiles.json')).default }),
  },
  sites: {
    de: async () => ({
      controllers: (await import('../texts/de/controllers.json')).default,
      sites: (await import('../texts/de/sites.json')).default,
    }),
    en: async () => ({
      controllers: (await import('../texts/en/controllers.json')).default,
      sites: (await import('../texts/en/sites.json')).default,
    }),
  },
  sms: {
    de: async () => ({ sms: (await import('../texts/de/sms.json')).default }),
    en: async () => ({ sms: (await import('../texts/en/sms.json')).default }),
  },
  users: {
    de: async () => ({
      singleSignOn: (await import('../texts/de/singleSignOn.json')).default,
      users: (await import('../texts/de/users.json')).default,
    }),
    en: async () => ({
      singleSignOn: (await import('../texts/en/singleSignOn.json')).default,
      users: (await import('../texts/en/users.json')).default,
    }),
  },
  webhooks: {
    de: async () => ({ webhooks: (await import('../texts/de/webhooks.json')).default }),
    en: async () => ({ webhooks: (await import('../texts/en/webhooks.json')).default }),
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
