import { readFile } from 'node:fs/promises';
import { create } from 'fontkit';
import { findPackageFile } from '../../lib/packageFiles.js';

export interface PrintFonts {
  readonly regular: Buffer;
  readonly bold: Buffer;
  /** The text as far as the fonts can show it: characters without a shape become question marks, pictographs nothing. */
  toPrintable(text: string): string;
}

const readFont = (name: string): Promise<Buffer> =>
  readFile(findPackageFile('@expo-google-fonts/open-sans', `${name}.ttf`));

/** Marks and pictographs say nothing without their shape. */
const isOrnament = /[\p{Extended_Pictographic}\p{Emoji_Component}\p{M}\p{C}]/u;

const load = async (): Promise<PrintFonts> => {
  // All its digits have the same width, so codes align.
  const [regular, bold] = await Promise.all([
    readFont('400Regular/OpenSans_400Regular'),
    readFont('700Bold/OpenSans_700Bold'),
  ]);
  const font = create(regular);
  if (!('hasGlyphForCodePoint' in font)) throw new Error('the font is a collection of fonts');
  const shown = new Map<string, string>();
  const show = (character: string): string => {
    const known = shown.get(character);
    if (known !== undefined) return known;
    const hasGlyph = font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
    const glyphs =
      /[\n\t ]/.test(character) || (hasGlyph && !/\p{C}/u.test(character))
        ? character
        : isOrnament.test(character)
          ? ''
          : '?';
    // There are a million characters; those in use fit many times over.
    if (shown.size < 10_000) shown.set(character, glyphs);
    return glyphs;
  };
  return {
    regular,
    bold,
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
