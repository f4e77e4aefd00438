import type PDFDocument from 'pdfkit';
import type { TextDirection } from '../../i18n/guestLanguages.js';
import { layOutLines, needsBidi, widthOfLine, type TextLine, type TextSegment } from '../bidiText.js';
import type { Weight } from '../fonts.js';

type Document = InstanceType<typeof PDFDocument>;

export type Align = 'left' | 'center' | 'right';

/** How a text is written. */
export interface TextLook {
  readonly font: Weight;
  readonly size: number;
  readonly color?: string;
}

/** Where it may go. Without a width there is one line. */
interface TextRoom {
  readonly width: number;
  readonly align: Align;
  readonly lineGap: number;
  /** What is longer ends with an ellipsis. */
  readonly height: number;
}

/**
 * Texts of a PDF in any direction. pdfkit itself writes from
 * left to right, in one font, and breaks Wi-Fi at its hyphen.
 */
export interface PdfText {
  widthOf(text: string, look: TextLook): number;
  heightOf(text: string, look: TextLook, room: Omit<TextRoom, 'height'>): number;
  /** Of one line, without a gap. */
  lineHeight(look: TextLook): number;
  draw(text: string, x: number, y: number, look: TextLook, room: TextRoom): void;
}

const ellipsis = '…';
/**
 * Makes pdfkit lay out a text as a whole: word by word, it would
 * put those that are read from the right in the wrong order.
 */
const asWhole = { features: [] as never[] };
const optionsFor = (text: string): { features?: never[] } => (needsBidi(text) ? asWhole : {});

/** With a base of `rtl`, a text is read from the right, whatever it begins with. */
export const makePdfText = (document: Document, base: TextDirection | 'auto'): PdfText => {
  const measureWith =
    ({ font, size }: TextLook) =>
    ({ text, script }: TextSegment): number =>
      document.font(fontName(font, script)).fontSize(size).widthOfString(text, optionsFor(text));
  const layOut = (text: string, look: TextLook, width: number): TextLine[] =>
    layOutLines(text, base, width, measureWith(look));
  const lineHeight = ({ font, size }: TextLook): number =>
    document.font(font).fontSize(size).currentLineHeight(true);
  /** As many lines as fit, the last of which says that there are more. */
  const cutLines = (text: string, look: TextLook, { width, lineGap, height }: TextRoom): TextLine[] => {
    const lines = layOut(text, look, width);
    const count = Math.max(1, Math.floor((height + lineGap) / (lineHeight(look) + lineGap)));
    if (lines.length <= count) return lines;
    const characters = Array.from(text);
    const cutAt = (length: number): TextLine[] =>
      layOut(characters.slice(0, length).join('').trimEnd() + ellipsis, look, width);
    // Half the rest at a time: a text may have thousands of characters.
    let [fitting, tooLong] = [0, characters.length];
    while (tooLong - fitting > 1) {
      const middle = (fitting + tooLong) >> 1;
      if (cutAt(middle).length <= count) fitting = middle;
      else tooLong = middle;
    }
    return cutAt(fitting).slice(0, count);
  };
  return {
    widthOf: (text, look) =>
      Math.max(...layOut(text, look, Infinity).map((line) => widthOfLine(line, measureWith(look)))),
    heightOf: (text, look, room) => layOut(text, look, room.width).length * (lineHeight(look) + room.lineGap),
    lineHeight,
    draw: (text, x, y, look, room) => {
      const { font, size, color = '#000000' } = look;
      document.fillColor(color);
      const measure = measureWith(look);
      const height = lineHeight(look);
      for (const [index, line] of cutLines(text, look, room).entries()) {
        const top = y + index * (height + room.lineGap);
        let left = x + (room.width - widthOfLine(line, measure)) * shares[room.align];
        for (const segment of line) {
          document
            .font(fontName(font, segment.script))
            .fontSize(size)
            .text(segment.text, left, top + ascentPerHeight * height, {
              lineBreak: false,
              baseline: 'alphabetic',
              ...optionsFor(segment.text),
            });
          left += measure(segment);
        }
      }
    },
  };
};

/** How much of the room that is left stands before a line. */
const shares: Readonly<Record<Align, number>> = { left: 0, center: 0.5, right: 1 };

/** Of Open Sans, whose lines all texts share: 2189 of 2789 units. */
const ascentPerHeight = 0.785;

/** The names under which a document knows its fonts. */
export const fontName = (font: Weight, script: TextSegment['script']): string =>
  script === 'arabic' ? `arabic-${font}` : font;
