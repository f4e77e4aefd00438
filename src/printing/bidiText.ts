import bidiModule, { type EmbeddingLevels } from 'bidi-js';
import type { TextDirection } from '../i18n/guestLanguages.js';

/** By which font something is written: Arabic and Persian letters and digits have one of their own. */
export type Script = 'arabic' | 'other';

/**
 * A part of a line, written by one font, in the order of its characters:
 * fonts turn letters that are read from the right.
 */
export interface TextSegment {
  readonly text: string;
  readonly script: Script;
}

/** The segments of a line as they stand on paper, from left to right. */
export type TextLine = readonly TextSegment[];

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** Their punctuation and digits are common to several scripts. */
const arabic = /[\p{Script_Extensions=Arabic}\u200C]/u;
const isolates = /[\u2066-\u2069]/g;

/** Does a text need more than its characters from left to right? */
export const needsBidi = (text: string): boolean => rightToLeft.test(text) || /[\u2066-\u2069]/.test(text);

// The types of a package without an ES module.
const bidi = (bidiModule as unknown as typeof bidiModule.default)();

interface Word {
  readonly start: number;
  readonly end: number;
}

/** The words of a paragraph, and parts of those that do not fit on a line. */
const findWords = (paragraph: string, fits: (text: string) => boolean): Word[] =>
  [...paragraph.matchAll(/[^ ]+/g)].flatMap(({ 0: word, index }) => {
    if (fits(word)) return [{ start: index, end: index + word.length }];
    const words: Word[] = [];
    let [start, end] = [index, index];
    for (const character of word) {
      const next = end + character.length;
      if (end > start && word.length > 1 && !fits(paragraph.slice(start, next))) {
        words.push({ start, end });
        start = end;
      }
      end = next;
    }
    return [...words, { start, end }];
  });

/**
 * Breaks a text into lines of at most this width, and puts their parts in the order in which they stand on
 * paper (Unicode Bidirectional Algorithm). Lines end at blanks only,
 * so that a name such as Wi-Fi stays whole. `measure` gives the width of one segment.
 */
export const layOutLines = (
  text: string,
  base: TextDirection | 'auto',
  width: number,
  measure: (segment: TextSegment) => number,
): TextLine[] =>
  text.split('\n').flatMap((paragraph) => {
    const isPlain = base !== 'rtl' && !needsBidi(paragraph) && !arabic.test(paragraph);
    const toLineOf = isPlain ? makeToPlainLine(paragraph) : makeToLine(paragraph, base);
    const widthOf = (start: number, end: number): number => widthOfLine(toLineOf(start, end), measure);
    const lines: TextLine[] = [];
    let line: Word | undefined;
    const fits = (part: string): boolean => widthOfLine(splitByFont(part), measure) <= width;
    for (const word of findWords(paragraph, fits)) {
      if (line && (line.end === word.start || widthOf(line.start, word.end) > width)) {
        lines.push(toLineOf(line.start, line.end));
        line = word;
      } else line = { start: line?.start ?? word.start, end: word.end };
    }
    return [...lines, line ? toLineOf(line.start, line.end) : []];
  });

type ToLine = (start: number, end: number) => TextLine;

const makeToLine = (paragraph: string, base: TextDirection | 'auto'): ToLine => {
  const levels = bidi.getEmbeddingLevels(paragraph, base);
  return (start, end) => toLine(paragraph, levels, start, end);
};

/** From left to right, in one font. */
const makeToPlainLine =
  (paragraph: string): ToLine =>
  (start, end) => [{ text: paragraph.slice(start, end), script: 'other' }];

export const widthOfLine = (line: TextLine, measure: (segment: TextSegment) => number): number =>
  line.reduce((sum, segment) => sum + measure(segment), 0);

/** Characters of one direction, in the order of the text. */
interface LevelRun {
  readonly level: number;
  readonly text: string;
}

const toLine = (paragraph: string, levels: EmbeddingLevels, start: number, end: number): TextLine => {
  const runs: LevelRun[] = [];
  for (let at = start; at < end; at += 1) {
    const level = levels.levels[at] ?? 0;
    const last = runs.at(-1);
    const text = (last?.level === level ? last.text : '') + (paragraph[at] ?? '');
    if (last?.level === level) runs.pop();
    runs.push({ level, text });
  }
  return reorder(runs).flatMap(({ level, text }) => {
    const shown = text.replaceAll(isolates, '');
    if (shown === '') return [];
    return level % 2 === 0 ? splitByFont(shown).map(keepOrder) : turn(shown);
  });
};

/** Rule L2: from the highest level down, neighbours of at least that level change places. */
const reorder = (runs: readonly LevelRun[]): readonly LevelRun[] => {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1)
    for (let from = 0; from < ordered.length; from += 1) {
      let to = from;
      while ((ordered[to]?.level ?? -1) >= level) to += 1;
      ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  return ordered;
};

const reverse = (text: string): string => Array.from(text).reverse().join('');

/** Persian digits are read from the left, and fonts turn them like letters: so they are turned before. */
const keepOrder = ({ text, script }: TextSegment): TextSegment => ({
  text: script === 'arabic' && rightToLeft.test(text) ? reverse(text) : text,
  script,
});

/**
 * Text that is read from the right: its brackets change sides, and what the fonts do not turn is turned here.
 */
const turn = (text: string): TextSegment[] =>
  splitByFont(Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join(''))
    .reverse()
    .map(({ text: part, script }) => ({
      text: rightToLeft.test(part) ? part : reverse(part),
      script,
    }));

/** Blanks and marks belong to what is before them. */
const splitByFont = (text: string): TextSegment[] => {
  const segments: { text: string; script: Script }[] = [];
  for (const character of text) {
    const last = segments.at(-1);
    const isLike = last?.script === 'arabic' && /[ \p{M}]/u.test(character);
    const script: Script = isLike || arabic.test(character) ? 'arabic' : 'other';
    if (last?.script === script) last.text += character;
    else segments.push({ text: character, script });
  }
  return segments;
};
