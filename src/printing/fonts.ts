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
}

/**
 * All digits of Open Sans have the same width, so codes
 * align. It has Latin, Greek, Cyrillic and Hebrew letters.
 */
const readOpenSans = (name: string): Promise<Buffer> =>
  readFile(findPackageFile('@expo-google-fonts/open-sans', `${name}.ttf`));
/** Persian and Arabic letters. */
const readVazirmatn = (name: string): Promise<Buffer> =>
  readFile(findPackageFile('@expo-google-fonts/vazirmatn', `${name}.ttf`));

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
  return { files, open };
};

let loading: Promise<PrintFonts> | undefined;

/** The fonts of everything that is printed, read once. */
export const loadPrintFonts = (): Promise<PrintFonts> =>
  (loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  }));
