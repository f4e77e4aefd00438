import type { Font } from 'fontkit';
import type { TextDirection } from '../../i18n/guestLanguages.js';
import { layOutLines, widthOfLine, type TextSegment } from '../bidiText.js';
import { loadPrintFonts, type Weight } from '../fonts.js';
import type { Raster } from './escpos.js';
import { fillShapes, type Edge } from './fillShapes.js';

// Receipt printers have tables of letters, and each has others: what is missing in those that all of them have is drawn.

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
  const lines = layOutLines(fonts.toPrintable(text), base, widthDots - 2 * marginDots, measure);
  const edges: Edge[] = [];
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
        edges.push(...toEdges(glyph.path.commands, scale, left, baseline));
        x += xAdvance * scale;
      }
    }
  }
  const whole = fillShapes(edges, widthDots, lines.length * lineDots);
  return cutRaster(whole, maxPictureDots);
};

type Point = readonly [number, number];

/** The straight lines of a shape, in dots from the top left. Curves become a few lines each. */
const toEdges = (
  commands: readonly { readonly command: string; readonly args: readonly number[] }[],
  scale: number,
  left: number,
  baseline: number,
): Edge[] => {
  const edges: Edge[] = [];
  let [first, last]: [Point, Point] = [
    [0, 0],
    [0, 0],
  ];
  const lineTo = (to: Point): void => {
    edges.push({ from: last, to });
    last = to;
  };
  for (const { command, args } of commands) {
    const points = Array.from({ length: args.length / 2 }, (_, at): Point => [
      left + (args[2 * at] ?? 0) * scale,
      baseline - (args[2 * at + 1] ?? 0) * scale,
    ]);
    if (command === 'moveTo') first = last = points[0] ?? last;
    else if (command === 'closePath') lineTo(first);
    else {
      const control = [last, ...points];
      const steps = points.length === 1 ? 1 : curveSteps;
      for (let step = 1; step <= steps; step += 1) lineTo(pointOnCurve(control, step / steps));
    }
  }
  return edges;
};

const curveSteps = 6;

/** De Casteljau: between each two points, until one is left. */
const pointOnCurve = (points: readonly Point[], share: number): Point => {
  const [point = [0, 0], ...others] = points;
  if (others.length === 0) return point;
  return pointOnCurve(
    others.map(([x, y], index): Point => {
      const [fromX, fromY] = points[index] ?? point;
      return [fromX + (x - fromX) * share, fromY + (y - fromY) * share];
    }),
    share,
  );
};

const cutRaster = ({ widthBytes, height, bits }: Raster, maxHeight: number): Raster[] =>
  Array.from({ length: Math.ceil(height / maxHeight) }, (_, index) => {
    const rows = Math.min(maxHeight, height - index * maxHeight);
    const start = index * maxHeight * widthBytes;
    return { widthBytes, height: rows, bits: bits.subarray(start, start + rows * widthBytes) };
  });
