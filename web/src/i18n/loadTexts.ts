import { isPageLanguage, type Language } from './pageLanguages.ts';
import type { Messages } from '../texts/messages.ts';
import type groups from './textGroups.json';

/** Pages that share their texts. The build makes a file of each, in each language. */
type Group = keyof typeof groups;

/** What every page may need, and what kiosks and guest pages need: languages that only guests have consist of these. */
type GuestGroup = Extract<Group, 'shared' | 'guests'>;

/** The groups of pages. */
export type TextGroup = Exclude<Group, 'shared'>;

/** Set by the build: it changes with the texts. */
declare const textsVersion: string;

const isForGuests = (group: Group): group is GuestGroup => group === 'shared' || group === 'guests';

/** Loads a file that the build has put beside the scripts, whose names need not be listed anywhere. */
const loadGroup = async (group: Group, language: Language): Promise<Partial<Messages>> => {
  const shown = isPageLanguage(language) || isForGuests(group) ? language : 'en';
  const file = `./texts-${textsVersion}-${shown}-${group}.js`;
  const module: unknown = await import(file);
  return (module as { readonly default: Partial<Messages> }).default;
};

/** The texts of a group of pages. */
export const loadGroupTexts = (group: TextGroup, language: Language): Promise<Partial<Messages>> =>
  loadGroup(group, language);

export type SharedTexts = Pick<Messages, 'common' | 'errors' | 'firstStart' | 'nav' | 'signIn'>;

/** What every page may need. */
export const loadSharedTexts = async (language: Language): Promise<SharedTexts> =>
  (await loadGroup('shared', language)) as SharedTexts;
