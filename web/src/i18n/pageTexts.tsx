import { Suspense, use, useMemo, type ReactNode } from 'react';
import { IntlProvider, useMessages } from 'use-intl';
import { useLanguage } from './language.tsx';
import type { Language } from './pageLanguages.ts';
import { loadOnline } from '../lib/lazyPart.ts';
import type { Messages } from '../texts/messages.ts';
import { loadGroupTexts, type TextGroup } from './loadTexts.ts';

const loading = new Map<string, Promise<Partial<Messages>>>();

/** One promise per group and language, as `use` asks for. */
const loadGroup = (group: TextGroup, language: Language): Promise<Partial<Messages>> => {
  const name = `${group} ${language}`;
  const known = loading.get(name);
  if (known) return known;
  const texts = loadOnline(() => loadGroupTexts(group, language));
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
