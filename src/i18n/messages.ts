import { en } from './en.js';
import { pageLanguages, type PageLanguage, type Texts } from './language.js';
import { loadTexts } from './texts.js';

type Kind = keyof typeof en;
type Code<K extends Kind> = keyof (typeof en)[K] & string;

/** The names in the braces of a text. */
type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** The names of all values that a code needs. No other language needs more than English. */
type NamesOf<K, P> = Names<
  K extends Kind ? (P extends keyof (typeof en)[K] ? (typeof en)[K][P] : never) : never
>;

/** A time that a message speaks of. */
export interface Moment {
  readonly at: number;
}

/** A piece of a message: a text, or a time, which is worded where the reader's clock is known. */
type MessagePart = string | Moment;

interface AnyMessage {
  readonly code: string;
  readonly values: object;
}

/**
 * A value with the name of a kind is a message of that kind, or several, or its code where it has no values.
 * A `cause` is a message of the same kind. They are worded, too. A `time` is a moment.
 * Other values may be texts that were worded before.
 */
type Value<Name> = Name extends 'cause'
  ? AnyMessage
  : Name extends 'time'
    ? Moment
    : Name extends Kind
      ? Code<Name> | Message<Name> | readonly Message<Name>[]
      : string | number | Texts;

/**
 * What is said to people, as a code and the values that belong to it.
 * That is what errors carry and tables store; it is worded where it is shown.
 */
export type Message<K extends Kind, C extends Code<K> = Code<K>> = {
  readonly [P in C]: {
    readonly code: P;
    readonly values: { readonly [Name in NamesOf<K, P>]: Value<Name> };
  };
}[C];

/** Undefined for a code that only a later version knows. */
const findText = (language: PageLanguage, kind: Kind, code: string): string | undefined => {
  const texts: Readonly<Record<string, string>> = loadTexts(language)[kind];
  return texts[code];
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

const isTexts = (value: unknown): value is Texts =>
  typeof value === 'object' && value !== null && 'de' in value && 'en' in value;

const isMoment = (value: unknown): value is Moment =>
  typeof value === 'object' && value !== null && 'at' in value && typeof value.at === 'number';

/** The texts of a template are those at even places, the names in its braces those at odd ones. */
const splitTemplate = (template: string): string[] => template.split(/\{(\w+)\}/);

const partsOf = (language: PageLanguage, kind: Kind, { code, values }: AnyMessage): MessagePart[] => {
  const given = new Map<string, unknown>(Object.entries(values));
  return splitTemplate(findText(language, kind, code) ?? code).flatMap((piece, index) => {
    if (index % 2 === 0) return [piece];
    return given.has(piece) ? partsOfValue(language, kind, piece, given.get(piece)) : [`{${piece}}`];
  });
};

const partsOfValue = (language: PageLanguage, kind: Kind, name: string, value: unknown): MessagePart[] => {
  if (Array.isArray(value))
    return value.flatMap((one: unknown, index) => [
      ...(index > 0 ? [', '] : []),
      ...partsOfValue(language, kind, name, one),
    ]);
  if (isAnyMessage(value)) return partsOf(language, isKind(name) ? name : kind, value);
  if (isMoment(value)) return [value];
  if (isTexts(value)) return [value[language]];
  const text = String(value);
  return [(isKind(name) ? findText(language, name, text) : undefined) ?? text];
};

/** A time as people read it in a line of a terminal. */
export const formatMoment = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

const word = (language: PageLanguage, kind: Kind, message: AnyMessage): string =>
  partsOf(language, kind, message)
    .map((part) => (typeof part === 'string' ? part : formatMoment(part.at)))
    .join('');

/** A message in one language. */
export const wordIn = <K extends Kind>(language: PageLanguage, kind: K, message: Message<K>): string =>
  word(language, kind, message);

/** A text without values in one language. */
export const textIn = <K extends Kind>(language: PageLanguage, kind: K, code: Code<K>): string =>
  word(language, kind, { code, values: {} });

/** A message in every language. */
export const wordMessage = <K extends Kind>(kind: K, message: Message<K>): Texts =>
  toTexts((language) => word(language, kind, message));

/** A text and the time that follows it, if one does. */
export interface TimedText {
  readonly text: string;
  readonly at: number | null;
}

/** A message in every language, with its times as values. */
export const splitMessage = <K extends Kind>(
  kind: K,
  message: Message<K>,
): Record<PageLanguage, TimedText[]> =>
  inEveryLanguage((language) => toTimedTexts(partsOf(language, kind, message)));

const toTimedTexts = (parts: readonly MessagePart[]): TimedText[] => {
  const timed: TimedText[] = [];
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else {
      timed.push({ text, at: part.at });
      text = '';
    }
  }
  return text === '' ? timed : [...timed, { text, at: null }];
};

/** A text made for each language. */
export const toTexts = (make: (language: PageLanguage) => string): Texts => inEveryLanguage(make);

const inEveryLanguage = <T>(make: (language: PageLanguage) => T): Record<PageLanguage, T> =>
  Object.fromEntries(pageLanguages.map((language) => [language, make(language)])) as Record<PageLanguage, T>;

/** A heading of CSV files in every language. */
export const headingOf = (code: Code<'csvHeading'>): Texts =>
  toTexts((language) => textIn(language, 'csvHeading', code));

const namesIn = (kind: Kind, code: string): string[] =>
  [...(findText('en', kind, code) ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/**
 * Is this, from the database, a message with a known code
 * and all its values? A later version may store others.
 */
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
