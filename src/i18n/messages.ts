import { fillTemplate } from '../lib/textTemplate.js';
import { de } from './de.js';
import { en } from './en.js';
import type { Language, Texts } from './language.js';

type Kind = keyof typeof en;
type Code<K extends Kind> = keyof (typeof en)[K] & string;

/** The names in the braces of a text. */
type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** A value with the name of a kind is a code of that kind, which is worded, too. */
type Value<Name> = Name extends Kind ? Code<Name> : string | number;

/**
 * What is said to people, as a code and the values that belong to it. That is what errors carry and tables store; it
 * is worded where it is shown.
 */
export type Message<K extends Kind, C extends Code<K> = Code<K>> = {
  readonly [P in C]: {
    readonly code: P;
    readonly values: { readonly [Name in Names<(typeof en)[K][P]>]: Value<Name> };
  };
}[C];

const tables: Readonly<Record<Language, Readonly<Record<Kind, Readonly<Record<string, string>>>>>> = {
  de,
  en,
};

const isKind = (name: string): name is Kind => Object.hasOwn(en, name);

const word = (
  language: Language,
  kind: Kind,
  { code, values }: { readonly code: string; readonly values: object },
): string => {
  const texts = tables[language];
  const worded = Object.entries(values).map(([name, value]): [string, string] => {
    const text = String(value);
    return [name, isKind(name) && Object.hasOwn(texts[name], text) ? (texts[name][text] ?? text) : text];
  });
  return fillTemplate(texts[kind][code] ?? code, Object.fromEntries(worded));
};

/** A message in every language. */
export const wordMessage = <K extends Kind>(kind: K, message: Message<K>): Texts => ({
  de: word('de', kind, message),
  en: word('en', kind, message),
});

const namesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Is this, from the database, a message with a known code and all its values? A later version may store others. */
export const isMessage = <K extends Kind>(kind: K, value: unknown): value is Message<K> =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  typeof value.code === 'string' &&
  Object.hasOwn(en[kind], value.code) &&
  'values' in value &&
  hasValues(value.values, namesIn(tables.en[kind][value.code] ?? ''));

const hasValues = (values: unknown, names: readonly string[]): boolean =>
  typeof values === 'object' && values !== null && names.every((name) => Object.hasOwn(values, name));
