import type { PageLanguage } from '../../../src/i18n/language.js';
import type { RenderedMessage } from '../../conformance/format.js';

/** One thing that a platform reads where it stands: what a reader sees of it, and whether it is markup. */
export interface Rule {
  /** Sticky, so that it is tried at one place. */
  readonly pattern: RegExp;
  readonly markup?: string;
  see(match: RegExpExecArray): string;
}

/** Text that is shown as something else than it says, or does something: never wanted in a value. */
export const markup = (name: string, pattern: RegExp): Rule => ({
  pattern: new RegExp(pattern, 'uy'),
  markup: name,
  see: ([whole, inner]) => inner ?? whole,
});

export const shows = (pattern: RegExp, see: (match: RegExpExecArray) => string): Rule => ({
  pattern: new RegExp(pattern, 'uy'),
  see,
});

/** Reads a text from its beginning to its end: at every place the first rule that matches. */
export const scan = (text: string, rules: readonly Rule[]): { text: string; markup: string[] } => {
  const found: string[] = [];
  let seen = '';
  let at = 0;
  while (at < text.length) {
    const [rule, match] = firstMatch(text, at, rules);
    if (rule?.markup !== undefined) found.push(`${rule.markup}: ${match[0]}`);
    seen += rule ? rule.see(match) : match[0];
    at += match[0].length;
  }
  return { text: seen, markup: found };
};

const firstMatch = (
  text: string,
  at: number,
  rules: readonly Rule[],
): [rule: Rule | undefined, match: RegExpExecArray] => {
  for (const rule of rules) {
    rule.pattern.lastIndex = at;
    const match = rule.pattern.exec(text);
    if (match) return [rule, match];
  }
  const any = /[^]/uy;
  any.lastIndex = at;
  return [undefined, any.exec(text)!];
};

export const entities: Rule = shows(/&(lt|gt|amp|quot|#39);/, ([, name]) => characters[name!]!);

const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

export const labels: Readonly<Record<PageLanguage, readonly [site: string, source: string]>> = {
  de: ['Standort', 'Quelle'],
  en: ['Site', 'Source'],
  es: ['Sede', 'Origen'],
  fr: ['Site', 'Origine'],
  it: ['Sede', 'Origine'],
  nl: ['Locatie', 'Bron'],
};

/** A message of three lines: the title and, with their labels, site and source. */
export const readLines = (
  { text, markup: found }: { text: string; markup: readonly string[] },
  language: PageLanguage,
): RenderedMessage => {
  const [title, ...lines] = text.split('\n');
  if (lines.length !== 2) throw new Error(`three lines were expected: ${text}`);
  const [site, source] = lines.map((line, index) => {
    const label = `${labels[language][index]!}${language === 'fr' ? '\u00A0' : ''}: `;
    if (!line.startsWith(label)) throw new Error(`${label} was expected: ${line}`);
    return line.slice(label.length);
  });
  return { title: title!, site: site!, source: source!, markup: found };
};
