import type { Font } from 'fontkit';
import type { TextDirection } from '../../i18n/guestLanguages.js';
import { drawShapes } from '../../lib/picture.js';
import { layOutLines, widthOfLine, type TextSegment } from '../bidiText.js';
import { loadPrintFonts, type Weight } from '../fonts.js';
import { toPrintable } from '../printableText.js';
import { toRaster, type Raster } from './escpos.js';

// Receipt printers have tables of letters, and each has others:
// what is missing in those that all of them have is drawn.

interface TextPictureOptions {
  /** Of the paper. A multiple of 8. */
  readonly widthDots: number;
  readonly weight: Weight;
  readonly direction: TextDirection;
}

/** As large as the printer's own letters, which are 24 dots high. */
const sizeDots = 25;
const lineDots = 34;
/** Letters reach a little beyond their width. */
const marginDots = 4;
/** From the top of a line. */
const baselineDots = 26;
/** What is higher is cut into several pictures: printers have little memory. */
const maxPictureDots = 240;

/** A text in the middle of the paper, as pictures one below the other. */
export const drawText = async (
  text: string,
  { widthDots, weight, direction }: TextPictureOptions,
): Promise<Raster[]> => {
  const fonts = await loadPrintFonts();
  const fontOf = ({ script }: TextSegment): Font => fonts.open(script, weight);
  const measure = (segment: TextSegment): number => {
    const font = fontOf(segment);
    return (font.layout(segment.text).advanceWidth * sizeDots) / font.unitsPerEm;
  };
  const base = direction === 'rtl' ? 'rtl' : 'auto';
  const lines = layOutLines(toPrintable(text), base, widthDots - 2 * marginDots, measure);
  const shapes: string[] = [];
  for (const [index, line] of lines.entries()) {
    let x = (widthDots - widthOfLine(line, measure)) / 2;
    for (const segment of line) {
      const font = fontOf(segment);
      const scale = sizeDots / font.unitsPerEm;
      const { glyphs, positions } = font.layout(segment.text);
      for (const [at, glyph] of glyphs.entries()) {
        const { xOffset = 0, yOffset = 0, xAdvance = 0 } = positions[at] ?? {};
        const left = x + xOffset * scale;
        const baseline = index * lineDots + baselineDots - yOffset * scale;
        shapes.push(glyph.path.scale(scale, -scale).translate(left, baseline).toSVG());
        x += xAdvance * scale;
      }
    }
  }
  const size = { width: widthDots, height: lines.length * lineDots };
  return cutRaster(toRaster(await drawShapes(shapes.join(''), size)), maxPictureDots);
};

const cutRaster = ({ widthBytes, height, bits }: Raster, maxHeight: number): Raster[] =>
  Array.from({ length: Math.ceil(height / maxHeight) }, (_, index) => {
    const rows = Math.min(maxHeight, height - index * maxHeight);
    const start = index * maxHeight * widthBytes;
    return { widthBytes, height: rows, bits: bits.subarray(start, start + rows * widthBytes) };
  });
