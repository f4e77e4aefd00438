import type { components } from '../../generated/web.js';
import { Refusal } from '../errors/problem.js';
import type { GuestLanguage } from '../i18n/guestTexts.js';

/** What an own text may be filled with. */
const placeholders = ['site', 'wifi', 'password', 'code', 'name', 'time', 'devices', 'limits'] as const;
export type Placeholder = (typeof placeholders)[number];

/** Values are inserted as text: nothing in them is a placeholder again. */
export type PlaceholderValues = Readonly<Partial<Record<Placeholder, string>>>;

type OwnTextName = keyof components['schemas']['OwnTexts'];

interface OwnTextRule {
  readonly placeholders: readonly Placeholder[];
  readonly maxCharacters: number;
  /** Is it a single line? */
  readonly isLine: boolean;
}

/** On slips and in e-mails a voucher is there; a kiosk shows its texts before. */
const ofKiosk = ['site', 'wifi', 'time', 'devices', 'limits'] as const satisfies readonly Placeholder[];

export const ownTextRules: Readonly<Record<OwnTextName, OwnTextRule>> = {
  slipHeading: { placeholders: ['site', 'name'], maxCharacters: 100, isLine: true },
  slipSteps: { placeholders, maxCharacters: 500, isLine: false },
  slipText: { placeholders, maxCharacters: 1000, isLine: false },
  // A subject is shown where everybody sees it.
  emailSubject: { placeholders: ['site', 'wifi', 'name', 'time'], maxCharacters: 150, isLine: true },
  emailText: { placeholders, maxCharacters: 2000, isLine: false },
  emailClosing: { placeholders, maxCharacters: 2000, isLine: false },
  // Each part of an SMS costs money.
  smsText: { placeholders, maxCharacters: 300, isLine: false },
  kioskTitle: { placeholders: ['site', 'wifi'], maxCharacters: 100, isLine: true },
  kioskText: { placeholders: ofKiosk, maxCharacters: 500, isLine: false },
  kioskNote: { placeholders: ofKiosk, maxCharacters: 500, isLine: false },
};
export const ownTextNames = Object.keys(ownTextRules) as readonly OwnTextName[];

/** Own texts in one language; what is not there is the standard. */
export type OwnTexts = Readonly<Partial<Record<OwnTextName, string>>>;
/** By language. */
export type OwnTextsByLanguage = Readonly<Partial<Record<GuestLanguage, OwnTexts>>>;

/** Something in braces that can't be filled in, and where it is: lines and columns begin at 1. */
export interface TextProblem {
  readonly language: GuestLanguage;
  readonly name: OwnTextName;
  readonly line: number;
  readonly column: number;
  readonly found: string;
}

const braces = /\{([^{}\n]*)\}/g;

/** Everything in braces that a text must not have. */
export const findTextProblems = (texts: OwnTextsByLanguage): TextProblem[] =>
  Object.entries(texts).flatMap(([language, own]) =>
    ownTextNames.flatMap((name) =>
      (own[name] ?? '').split('\n').flatMap((text, line) =>
        [...text.matchAll(braces)].flatMap(({ 0: found, 1: word, index }) =>
          isAllowed(name, word ?? '')
            ? []
            : [
                {
                  language: language as GuestLanguage,
                  name,
                  line: line + 1,
                  column: Array.from(text.slice(0, index)).length + 1,
                  found,
                },
              ],
        ),
      ),
    ),
  );

const isAllowed = (name: OwnTextName, word: string): boolean =>
  ownTextRules[name].placeholders.some((allowed) => allowed === word);

/** Texts as they are stored: without those that are empty. Throws `Refusal`. */
export const toOwnTexts = (given: OwnTextsByLanguage): OwnTextsByLanguage => {
  const texts = Object.fromEntries(
    Object.entries(given).flatMap(([language, own]) => {
      const kept = ownTextNames.flatMap((name) => {
        const text = cleanText(name, own[name] ?? '');
        return text === '' ? [] : [[name, text] as const];
      });
      return kept.length === 0 ? [] : [[language, Object.fromEntries(kept)] as const];
    }),
  ) as OwnTextsByLanguage;
  const [problem] = findTextProblems(texts);
  if (problem)
    throw new Refusal(
      'placeholder-unknown',
      `${problem.language}, ${problem.name}, line ${String(problem.line)}, column ${String(problem.column)}: unknown placeholder`,
      'invalid',
    );
  return texts;
};

const cleanText = (name: OwnTextName, given: string): string => {
  const { isLine, maxCharacters } = ownTextRules[name];
  const text = given.replaceAll(/\r\n?/g, '\n').trim();
  const isInvisible = isLine ? /\p{Cc}|\p{Cs}/u.test(text) : /[^\P{Cc}\n\t]|\p{Cs}/u.test(text);
  if (Array.from(text).length > maxCharacters || isInvisible)
    throw new Refusal(
      'own-text-invalid',
      `${name}: at most ${String(maxCharacters)} characters, all visible`,
      'invalid',
    );
  return text;
};

/** Fills a text. A line whose placeholder has nothing to say is left out: an open network has no password. */
export const fillOwnText = (text: string, values: PlaceholderValues): string =>
  text
    .split('\n')
    .filter((line) => [...line.matchAll(braces)].every(({ 1: word }) => valueOf(values, word) !== ''))
    .map((line) => line.replaceAll(braces, (_, word: string) => valueOf(values, word)))
    .join('\n')
    .trim();

const valueOf = (values: PlaceholderValues, word = ''): string =>
  placeholders.some((known) => known === word) ? (values[word as Placeholder] ?? '') : '';

/** Texts with others instead of some; what is not given stays. */
export const withOwnTexts = (texts: OwnTextsByLanguage, given: OwnTextsByLanguage): OwnTextsByLanguage => {
  const all = new Map<string, OwnTexts>(Object.entries(texts));
  for (const [language, own] of Object.entries(given)) all.set(language, { ...all.get(language), ...own });
  return Object.fromEntries(all);
};

/** Is a text that is given no longer what it was before? One that already is what is given does not count. */
export const hasOtherTexts = (
  stored: OwnTextsByLanguage,
  before: OwnTextsByLanguage,
  given: OwnTextsByLanguage,
): boolean =>
  (Object.keys(given) as GuestLanguage[]).some((language) =>
    ownTextNames.some((name) => {
      const now = stored[language]?.[name] ?? '';
      const text = given[language]?.[name];
      return text !== undefined && now !== (before[language]?.[name] ?? '') && now !== text;
    }),
  );

/** Those of the site come before those for all sites. */
export const mergeOwnTexts = (
  language: GuestLanguage,
  forAll: OwnTextsByLanguage | undefined,
  ofSite: OwnTextsByLanguage | undefined,
): OwnTexts => ({ ...forAll?.[language], ...ofSite?.[language] });

/** What a kiosk shows in one language; null is the standard. */
export interface KioskTexts {
  readonly title: string | null;
  readonly text: string | null;
  /** Beside the code. */
  readonly note: string | null;
}

export const fillKioskTexts = (own: OwnTexts, values: PlaceholderValues): KioskTexts => {
  const fill = (text: string | undefined): string | null =>
    text === undefined ? null : fillOwnText(text, values) || null;
  return { title: fill(own.kioskTitle), text: fill(own.kioskText), note: fill(own.kioskNote) };
};
