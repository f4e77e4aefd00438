import { readFile } from 'node:fs/promises';
import { create, type Font } from 'fontkit';
import { findPackageFile } from '../lib/packageRoot.js';
import type { Script } from './bidiText.js';

export type Weight = 'regular' | 'bold';

export interface PrintFonts {
  /** The files, by what is written with them. */
  readonly files: Readonly<Record<Script, Readonly<Record<Weight, Buffer>>>>;
  /** The opened fonts, to draw their shapes. */
  open(script: Script, weight: Weight): Font;
  /** The text as far as the fonts can show it: characters without a shape become question marks, pictographs nothing. */
  toPrintable(text: string): string;
}

/** All digits of Open Sans have the same width, so codes align. It has Latin, Greek, Cyrillic and Hebrew letters. */
const readOpenSans = (name: string): Promise<Buffer> =>
  readFile(findPackageFile('@expo-google-fonts/open-sans', `${name}.ttf`));
/** Persian and Arabic letters. */
const readVazirmatn = (name: string): Promise<Buffer> =>
  readFile(findPackageFile('@expo-google-fonts/vazirmatn', `${name}.ttf`));

/** Marks and pictographs say nothing without their shape. */
const isOrnament = /[\p{Extended_Pictographic}\p{Emoji_Component}\p{M}\p{C}]/u;
/** They have no shape, and are needed all the same: isolates, and what keeps two Persian letters apart. */
const isInvisible = /[\u2066-\u2069\u200C]/u;

const openFont = (file: Buffer): Font => {
  const font = create(file);
  if (!('hasGlyphForCodePoint' in font)) throw new Error('the font is a collection of fonts');
  return font;
};

const load = async (): Promise<PrintFonts> => {
  const [regular, bold, arabic, arabicBold] = await Promise.all([
    readOpenSans('400Regular/OpenSans_400Regular'),
    readOpenSans('700Bold/OpenSans_700Bold'),
    readVazirmatn('400Regular/Vazirmatn_400Regular'),
    readVazirmatn('700Bold/Vazirmatn_700Bold'),
  ]);
  const files = { other: { regular, bold }, arabic: { regular: arabic, bold: arabicBold } };
  const opened = new Map<Buffer, Font>();
  const open: PrintFonts['open'] = (script, weight) => {
    const file = files[script][weight];
    const font = opened.get(file) ?? openFont(file);
    opened.set(file, font);
    return font;
  };
  const hasGlyph = (code: number): boolean =>
    open('other', 'regular').hasGlyphForCodePoint(code) ||
    open('arabic', 'regular').hasGlyphForCodePoint(code);
  const shown = new Map<string, string>();
  const show = (character: string): string => {
    const known = shown.get(character);
    if (known !== undefined) return known;
    const isShown =
      /[\n\t ]/.test(character) ||
      isInvisible.test(character) ||
      (!/\p{C}/u.test(character) && hasGlyph(character.codePointAt(0) ?? 0));
    const glyphs = isShown ? character : isOrnament.test(character) ? '' : '?';
    // There are a million characters; those in use fit many times over.
    if (shown.size < 10_000) shown.set(character, glyphs);
    return glyphs;
  };
  return {
    files,
    open,
    // French numbers have narrow blanks, which the fonts lack.
    toPrintable: (text) =>
      Array.from(
        text.toWellFormed().normalize('NFC').replaceAll('\t', ' ').replaceAll('\u202F', '\u00A0'),
        show,
      ).join(''),
  };
};

let loading: Promise<PrintFonts> | undefined;

/** The fonts of everything that is printed, read once. */
export const loadPrintFonts = (): Promise<PrintFonts> =>
  (loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  }));
