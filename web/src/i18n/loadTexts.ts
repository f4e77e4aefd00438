import { isPageLanguage, type Language } from './pageLanguages.ts';
import type { Messages } from '../texts/messages.ts';

type Name = keyof Messages;

/** What guests read. Languages that only they have consist of these files, whose texts are laid over the English ones. */
const guestNames: readonly Name[] = ['common', 'errors', 'guest', 'kiosk', 'profiles', 'vouchers'];

/** Each file of each language is loaded by itself. */
const importTexts = async (language: Language, name: Name): Promise<object> => {
  const module: unknown = await import(`../texts/${language}/${name}.json`);
  return (module as { readonly default: object }).default;
};

const loadName = async (language: Language, name: Name): Promise<object> => {
  if (isPageLanguage(language)) return importTexts(language, name);
  const english = await importTexts('en', name);
  return guestNames.includes(name) ? { ...english, ...(await importTexts(language, name)) } : english;
};

/** The texts of some files in a language. */
export const loadNames = async <N extends Name>(
  names: readonly N[],
  language: Language,
): Promise<Pick<Messages, N>> => {
  const texts = await Promise.all(names.map(async (name) => [name, await loadName(language, name)] as const));
  return Object.fromEntries(texts) as Pick<Messages, N>;
};

/** What every page may need. */
const sharedNames = ['account', 'common', 'errors', 'firstStart', 'nav', 'signIn'] as const;
export type SharedTexts = Pick<Messages, (typeof sharedNames)[number]>;

export const loadSharedTexts = (language: Language): Promise<SharedTexts> => loadNames(sharedNames, language);
