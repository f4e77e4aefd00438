import { fillTemplate } from '../lib/textTemplate.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import { pageLanguages, type EarlierTexts, type PageLanguage, type Texts } from './language.js';
import { nl } from './nl.js';

type Kind = keyof typeof en;
type Code<K extends Kind> = keyof (typeof en)[K] & string;

/** The names in the braces of a text. */
type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** The names of all values that a code needs in any language. */
type NamesOf<K, P> = Names<TextOf<typeof en, K, P> | TextOf<typeof de, K, P>>;

type TextOf<Table, K, P> = K extends keyof Table ? (P extends keyof Table[K] ? Table[K][P] : never) : never;

interface AnyMessage {
  readonly code: string;
  readonly values: object;
}

/**
 * A value with the name of a kind is a message of that kind, or several, or its code where it has no values. A `cause`
 * is a message of the same kind. They are worded, too. Other values may be texts that were worded before.
 */
type Value<Name> = Name extends 'cause'
  ? AnyMessage
  : Name extends Kind
    ? Code<Name> | Message<Name> | readonly Message<Name>[]
    : string | number | Texts | EarlierTexts;

/**
 * What is said to people, as a code and the values that belong to it. That is what errors carry and tables store; it
 * is worded where it is shown.
 */
export type Message<K extends Kind, C extends Code<K> = Code<K>> = {
  readonly [P in C]: {
    readonly code: P;
    readonly values: { readonly [Name in NamesOf<K, P>]: Value<Name> };
  };
}[C];

const tables: Readonly<Record<PageLanguage, Readonly<Record<Kind, Readonly<Record<string, string>>>>>> = {
  de,
  en,
  es,
  fr,
  it,
  nl,
};

const isKind = (name: string): name is Kind => Object.hasOwn(en, name);

const isAnyMessage = (value: unknown): value is AnyMessage =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  typeof value.code === 'string' &&
  'values' in value &&
  typeof value.values === 'object' &&
  value.values !== null;

const isTexts = (value: unknown): value is Partial<Texts> & EarlierTexts =>
  typeof value === 'object' && value !== null && 'de' in value && 'en' in value;

const word = (language: PageLanguage, kind: Kind, { code, values }: AnyMessage): string => {
  const worded = Object.entries(values).map(([name, value]: [string, unknown]): [string, string] => [
    name,
    wordValue(language, kind, name, value),
  ]);
  return fillTemplate(tables[language][kind][code] ?? code, Object.fromEntries(worded));
};

const wordValue = (language: PageLanguage, kind: Kind, name: string, value: unknown): string => {
  if (Array.isArray(value))
    return value.map((one: unknown) => wordValue(language, kind, name, one)).join(', ');
  if (isAnyMessage(value)) return word(language, isKind(name) ? name : kind, value);
  if (isTexts(value)) return value[language] ?? value.en;
  const text = String(value);
  return (isKind(name) ? tables[language][name][text] : undefined) ?? text;
};

/** A message in one language. */
export const wordIn = <K extends Kind>(language: PageLanguage, kind: K, message: Message<K>): string =>
  word(language, kind, message);

/** A text without values in one language. */
export const textIn = <K extends Kind>(language: PageLanguage, kind: K, code: Code<K>): string =>
  word(language, kind, { code, values: {} });

/** A message in every language. */
export const wordMessage = <K extends Kind>(kind: K, message: Message<K>): Texts =>
  toTexts((language) => word(language, kind, message));

/** A text made for each language. */
export const toTexts = (make: (language: PageLanguage) => string): Texts =>
  Object.fromEntries(pageLanguages.map((language) => [language, make(language)])) as Record<
    PageLanguage,
    string
  >;

/** A heading of CSV files in every language. */
export const headingOf = (code: Code<'csvHeading'>): Texts =>
  toTexts((language) => textIn(language, 'csvHeading', code));

const namesIn = (kind: Kind, code: string): string[] =>
  Object.values(tables).flatMap((texts) =>
    [...(texts[kind][code] ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  );

/** Is this, from the database, a message with a known code and all its values? A later version may store others. */
export const isMessage = <K extends Kind>(kind: K, value: unknown): value is Message<K> =>
  isKnownMessage(kind, value);

const hasValue = (values: object, name: string): boolean =>
  Object.entries(values).some(([known, value]) => known === name && value !== undefined);

const isKnownMessage = (kind: Kind, value: unknown): boolean =>
  isAnyMessage(value) &&
  Object.hasOwn(en[kind], value.code) &&
  namesIn(kind, value.code).every((name) => hasValue(value.values, name)) &&
  Object.entries(value.values).every(
    ([name, inner]: [string, unknown]) =>
      !isAnyMessage(inner) || isKnownMessage(isKind(name) ? name : kind, inner),
  );
