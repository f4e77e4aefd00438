import iconv from 'iconv-lite';
import type { GreyPicture } from '../../lib/picture.js';
import { toPrintable } from '../printableText.js';

/** Bytes of ESC/POS, the language of receipt printers, one command after the other. */
export interface EscposWriter {
  /** A text in the middle of the line, on as many lines as it needs. */
  text(text: string, style?: TextStyle): void;
  /** A text whose every character counts: lines are full, and break anywhere. */
  verbatim(text: string): void;
  blankLines(count: number): void;
  /** A QR code that the printer draws itself. */
  qrCode(text: string): void;
  picture(picture: Raster): void;
  /** Pictures one below the other, without a gap. */
  pictureLines(pictures: readonly Raster[]): void;
  /** Feeds what was printed out of the printer and cuts. */
  cut(): void;
  toBytes(): Buffer;
}

interface TextStyle {
  readonly isBold?: boolean;
  /** Twice as high and as wide, where it fits on a line. */
  readonly isLarge?: boolean;
}

/** A black and white picture: a bit for each dot, rows padded to whole bytes. */
export interface Raster {
  readonly widthBytes: number;
  readonly height: number;
  readonly bits: Buffer;
}

const esc = 0x1b;
const gs = 0x1d;

/**
 * Western and Central European letters, by the numbers that Epson gave their tables, which others took over.
 * Each character is printed by the first table that has it.
 */
const codePages = [
  { number: 16, name: 'cp1252' },
  { number: 18, name: 'cp852' },
] as const;

const blank = 0x20;

/** Undefined where no table has the character. */
const encodeCharacter = (character: string): { page: number | undefined; byte: number } | undefined => {
  const code = character.codePointAt(0) ?? 0;
  // ASCII is the same in all tables. Control characters would be commands.
  if (code < 0x7f) return code < 0x20 ? undefined : { page: undefined, byte: code };
  if (character === '\u00A0') return { page: undefined, byte: blank };
  for (const { number, name } of codePages) {
    const [byte = 0, ...more] = iconv.encode(character, name);
    if (byte >= 0x80 && more.length === 0) return { page: number, byte };
  }
  return undefined;
};

const toEncodable = (text: string): string =>
  Array.from(toPrintable(text))
    .filter((character) => character === '\n' || encodeCharacter(character) !== undefined)
    .join('');

/**
 * Does a text have letters that our fonts have, and no table
 * of all printers? Such a text is printed as a picture.
 */
export const needsPicture = (text: string): boolean =>
  Array.from(toPrintable(text)).some(
    (character) => !/\p{C}/u.test(character) && encodeCharacter(character) === undefined,
  );

/** Lines of at most so many characters, broken between words where that is possible. */
export const wrapText = (text: string, columns: number): string[] =>
  text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (Array.from(longer).length <= columns) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      const characters = Array.from(word);
      while (characters.length > columns) lines.push(characters.splice(0, columns).join(''));
      line = characters.join('');
    }
    return [...lines, line];
  });

const dle = 0x10;
/** ENQ, EOT and DC4. */
const realTimeCommands = [0x05, 0x04, 0x14];

/**
 * Printers obey these commands wherever they stand, also in a picture:
 * a dot is changed where it looks like one.
 */
const withoutRealTimeCommands = (bits: Buffer): Buffer =>
  Buffer.from(
    bits.map((byte, at) => (byte === dle && realTimeCommands.includes(bits[at + 1] ?? 0) ? byte | 1 : byte)),
  );

/** Begins a receipt for paper with so many characters on a line. */
export const makeEscposWriter = (columns: number): EscposWriter => {
  const parts: Buffer[] = [];
  const write = (...bytes: readonly number[]): void => void parts.push(Buffer.from(bytes));
  let page: number | undefined;
  // Initialise, then everything in the middle.
  write(esc, 0x40, esc, 0x61, 1);

  const writeLine = (line: string): void => {
    for (const character of line) {
      const encoded = encodeCharacter(character);
      if (!encoded) continue;
      if (encoded.page !== undefined && encoded.page !== page) {
        page = encoded.page;
        write(esc, 0x74, page);
      }
      write(encoded.byte);
    }
    write(0x0a);
  };

  const writePicture = ({ widthBytes, height, bits }: Raster): void => {
    write(gs, 0x76, 0x30, 0, widthBytes & 0xff, widthBytes >> 8, height & 0xff, height >> 8);
    parts.push(withoutRealTimeCommands(bits));
  };

  return {
    text: (text, { isBold = false, isLarge = false } = {}) => {
      const printable = toEncodable(text);
      const fitsLarge = isLarge && Array.from(printable).length * 2 <= columns;
      write(esc, 0x45, isBold ? 1 : 0, gs, 0x21, fitsLarge ? 0x11 : 0);
      for (const line of wrapText(printable, columns)) writeLine(line);
    },
    verbatim: (text) => {
      write(esc, 0x45, 1, gs, 0x21, 0);
      const characters = Array.from(toEncodable(text));
      while (characters.length > 0) writeLine(characters.splice(0, columns).join(''));
    },
    // Some printers feed lines of the height of the last letters.
    blankLines: (count) => write(gs, 0x21, 0, esc, 0x64, count),
    qrCode: (text) => {
      const data = Buffer.from(text);
      const command = (fn: number, ...rest: readonly number[]): void => {
        const length = rest.length + 2;
        write(gs, 0x28, 0x6b, length & 0xff, length >> 8, 0x31, fn, ...rest);
      };
      command(0x41, 0x32, 0);
      // Dots for each square, and error correction M.
      command(0x43, columns >= 48 ? 8 : 6);
      command(0x45, 0x31);
      command(0x50, 0x30, ...data);
      command(0x51, 0x30);
      write(0x0a);
    },
    picture: (picture) => {
      writePicture(picture);
      write(0x0a);
    },
    pictureLines: (pictures) => pictures.forEach(writePicture),
    cut: () => write(gs, 0x21, 0, esc, 0x64, 3, gs, 0x56, 0x42, 0),
    toBytes: () => Buffer.concat(parts),
  };
};

/** A picture in black and white. */
export const toRaster = ({ width, height, pixels }: GreyPicture): Raster => {
  const widthBytes = Math.ceil(width / 8);
  const bits = Buffer.alloc(widthBytes * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if ((pixels[y * width + x] ?? 255) < 128) {
        const byte = y * widthBytes + (x >> 3);
        bits[byte] = (bits[byte] ?? 0) | (0x80 >> (x & 7));
      }
  return { widthBytes, height, bits };
};
