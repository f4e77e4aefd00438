/** The characters that the fonts of everything printed have. A test compares them with the fonts. */
const charactersOfFonts = [
  // Latin
  String.raw`\u0020-\u007E\u00A0-\u00AC\u00AE-\u017F\u0192\u01A0\u01A1\u01AF\u01B0\u01EA-\u01ED\u01F0`,
  String.raw`\u01FA-\u01FF\u0218-\u021B\u0237\u0259\u02BC\u02C6\u02C7\u02C9\u02D8-\u02DD\u02F3`,
  String.raw`\u0300-\u0304\u0306-\u030C\u030F\u0312\u0323\u0326-\u0328`,
  // Greek
  String.raw`\u0384-\u038A\u038C\u038E-\u03A1\u03A3-\u03CE\u03D1\u03D2\u03D6`,
  // Cyrillic
  String.raw`\u0400-\u0486\u0488-\u0513`,
  // Hebrew
  String.raw`\u05B0-\u05BE\u05C1\u05C2\u05C7\u05D0-\u05EA`,
  // Arabic and Persian
  String.raw`\u060C\u060D\u0610-\u0612\u0615\u061B\u061F\u0621-\u063A\u063D\u0640-\u0658\u065A\u065B`,
  String.raw`\u0660-\u0671\u0674\u0679\u067C\u067E\u0681\u0685\u0686\u0688\u0689\u0691\u0693\u0695\u0696`,
  String.raw`\u0698\u069A\u06A0\u06A1\u06A4\u06A9-\u06AD\u06AF\u06B5\u06BA\u06BC-\u06BE\u06C0-\u06C3`,
  String.raw`\u06C6-\u06D0\u06D2-\u06D5\u06DC\u06DE\u06E9\u06F0-\u06F9\u0762\u0763`,
  // More Latin and Greek
  String.raw`\u1E00\u1E01\u1E3E\u1E3F\u1E80-\u1E85\u1E9E\u1EA0-\u1EF9\u1F4D\u1FDE`,
  // Signs
  String.raw`\u2002-\u200A\u2013-\u2015\u2017-\u201E\u2020-\u2022\u2026\u2030\u2032\u2033\u2039\u203A`,
  String.raw`\u203C\u2044\u2070\u2074-\u207A\u207C-\u208A\u208C-\u208E\u2095-\u209C\u20A3\u20A4\u20A7`,
  String.raw`\u20AA-\u20AC\u2105\u2113\u2116\u2120\u2122\u212E\u215B-\u215E\u2202\u2206\u220F\u2211\u2212`,
  String.raw`\u2215\u221A\u221E\u222B\u2248\u2260\u2264\u2265\u25CA`,
  // Ligatures, and Arabic as old programs write it
  String.raw`\uA7B3-\uA7B5\uAB53\uFB00-\uFB04\uFB50\uFB51\uFB56-\uFB59\uFB66-\uFB6D\uFB7A-\uFB7D`,
  String.raw`\uFB88-\uFB95\uFB9E\uFB9F\uFBA5\uFBA7-\uFBB1\uFBBF\uFBC0\uFBD3-\uFBDC\uFBDE\uFBDF\uFBE2`,
  String.raw`\uFBE3\uFBE8\uFBE9\uFBFC-\uFBFF\uFD3E\uFD3F\uFDF2\uFDFC\uFE70-\uFE74\uFE76-\uFEFC`,
].join('');

/**
 * They have no shape, and are needed all the same: ends of lines, isolates,
 * and what keeps two Persian letters apart.
 */
const invisible = String.raw`\n\u200C\u2066-\u2069`;

const unknown = new RegExp(`[^${charactersOfFonts}${invisible}]`, 'gu');

/** Marks and pictographs say nothing without their shape. */
const isOrnament = /[\p{Extended_Pictographic}\p{Emoji_Component}\p{M}\p{C}]/u;

/** Stands for one character, and is in no text: control characters are ornaments. */
const placeholder = '\0';

const markMissing = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll('\t', ' ')
    // French numbers have narrow blanks, which the fonts lack, as they lack other hyphens.
    .replaceAll('\u202F', '\u00A0')
    .replaceAll(/[\u2010\u2011]/g, '-')
    .replaceAll(unknown, (character) => (isOrnament.test(character) ? '' : placeholder));

/**
 * The text as far as it can be printed: `[…]` stands for
 * letters without a shape, and nothing for pictographs.
 */
export const toPrintable = (text: string): string =>
  // A name of several words is missing as a whole.
  markMissing(text).replaceAll(/\0(?: *\0)*/g, '[…]');

/** Do the fonts have all letters of a text? */
export const isPrintable = (text: string): boolean => !markMissing(text).includes(placeholder);
