import type PDFDocument from 'pdfkit';
import { darkRuns, type QrSquares } from '../qrCode.js';
import { labelled, type VoucherSlip } from '../voucherSlip.js';
import { makePdfText, type Align, type PdfText, type TextLook } from './pdfText.js';

// How a slip looks in a PDF. What is on it is in `../voucherSlip.ts`, how slips are arranged on paper in
// `voucherPdf.ts`, and how a receipt printer prints the same in `../receipts/receipt.ts`.

type Document = InstanceType<typeof PDFDocument>;
type Picture = PDFKit.Mixins.OpenedPicture;

/** In points, of which an inch has 72. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A slip with what is the same on many of them prepared. All of its text can be printed. */
export interface PreparedSlip extends Omit<
  VoucherSlip,
  'logo' | 'qrText' | 'doesQrJoin' | 'siteName' | 'email' | 'smsText' | 'validity' | 'uses' | 'limits'
> {
  readonly picture: Picture | undefined;
  readonly qr: QrSquares;
}

/** A part of a slip, stacked with others. */
interface Piece {
  readonly height: number;
  /** The distance to the one above. */
  readonly gap: number;
  /** Where there is no room for all, the highest come first; what is `always` there is never left out. */
  readonly rank: number;
  draw(x: number, y: number): void;
  /** The same in less height, where that makes sense. */
  shorten?(height: number): Piece | undefined;
  /** The facts in other words: see `VoucherSlip`. */
  reword?(wording: number): Piece;
}

/** By how much a shortened piece ranks below the whole one. */
const shortenedBy = 0.2;

interface TextStyle extends TextLook {
  readonly gap: number;
  readonly rank: number;
  /** Between two lines, in parts of the size. */
  readonly spacing?: number;
  /** May the end be left out? */
  readonly mayShorten?: boolean;
}

const black = '#000000';
const grey = '#444444';

/** A text on as many lines as it needs. */
const makeText = (
  write: PdfText,
  text: string,
  width: number,
  align: Align,
  { gap, rank, spacing = 0.1, mayShorten = false, ...look }: TextStyle,
): Piece => {
  const room = { width, align, lineGap: look.size * spacing };
  const piece = (height: number): Piece => ({
    height,
    gap,
    rank,
    draw: (x, y) => write.draw(text, x, y, look, { ...room, height: height + 0.5 }),
    ...(mayShorten && {
      shorten: (available: number) => {
        const line = write.lineHeight(look) + room.lineGap;
        const lines = Math.floor(available / line);
        return lines < 1 ? undefined : { ...piece(lines * line), rank: rank - shortenedBy };
      },
    }),
  });
  return piece(write.heightOf(text, look, room));
};

type LineStyle = TextStyle & { readonly minSize: number };

/** The size in which a text fits on one line, but not below the smallest. */
const sizeOnLine = (write: PdfText, text: string, width: number, { minSize, ...look }: LineStyle): number => {
  const natural = write.widthOf(text, look);
  return Math.max(minSize, Math.min(look.size, (look.size * width * 0.99) / natural));
};

/**
 * A text on one line, which becomes smaller until it fits,
 * and ends with an ellipsis when it would be too small.
 */
const makeLine = (write: PdfText, text: string, width: number, align: Align, style: LineStyle): Piece => {
  const look = { ...style, size: sizeOnLine(write, text, width, style) };
  const height = write.lineHeight(look);
  return {
    height,
    gap: style.gap,
    rank: style.rank,
    draw: (x, y) => write.draw(text, x, y, look, { width, align, lineGap: 0, height: height + 0.5 }),
  };
};

const makePicture = (
  document: Document,
  picture: Picture,
  maxHeight: number,
  width: number,
  align: Align,
  style: Pick<Piece, 'gap' | 'rank'>,
): Piece => {
  const piece = (scale: number): Piece => {
    const height = picture.height * scale;
    const indent = (width - picture.width * scale) * { left: 0, center: 0.5, right: 1 }[align];
    return {
      ...style,
      height,
      draw: (x, y) => void document.image(picture, x + indent, y, { width: picture.width * scale, height }),
      shorten: (available) =>
        available < height / 2
          ? undefined
          : { ...piece(available / picture.height), rank: style.rank - shortenedBy },
    };
  };
  return piece(Math.min(maxHeight / picture.height, width / picture.width));
};

const drawQr = (document: Document, qr: QrSquares, x: number, y: number, side: number): void => {
  const square = side / qr.size;
  for (const run of darkRuns(qr))
    document.rect(x + run.x * square, y + run.y * square, run.length * square, square);
  document.fill(black);
};

const makeQr = (
  document: Document,
  qr: QrSquares,
  side: number,
  width: number,
  style: Pick<Piece, 'gap' | 'rank'>,
): Piece => ({
  ...style,
  height: side,
  draw: (x, y) => drawQr(document, qr, x + (width - side) / 2, y, side),
});

/** The rank of what a guest can not do without. */
const always = Infinity;

/**
 * The rank of how long, how often and how much: a guest who
 * reads only a part of it is promised more than there is.
 */
const ofFacts = 9.5;

interface Sizes {
  /** Of most of the text. */
  readonly base: number;
  readonly code: number;
  /** The side of the QR code, where it stands among the texts. */
  readonly qr: number | undefined;
}

/** The pieces in the order in which they are read. */
const makePieces = (
  document: Document,
  slip: PreparedSlip,
  width: number,
  align: Align,
  { base, code, qr }: Sizes,
): Piece[] => {
  const write = makePdfText(document, slip.direction === 'rtl' ? 'rtl' : 'auto');
  const text = (content: string, style: TextStyle): Piece => makeText(write, content, width, align, style);
  const line = (content: string, style: LineStyle): Piece => makeLine(write, content, width, align, style);
  /** All of a text: smaller at first, then on several lines. */
  const whole = (content: string, style: LineStyle): Piece =>
    text(content, { ...style, size: sizeOnLine(write, content, width, style), spacing: 0 });
  const facts = (wording: number): Piece =>
    text(slip.facts[wording] ?? '', { font: 'regular', size: base, gap: base * 0.2, rank: ofFacts });
  const small = { font: 'regular', size: base * 0.9, color: grey } as const;
  return [
    ...(slip.picture
      ? [makePicture(document, slip.picture, base * 3.2, width, align, { gap: 0, rank: 3.5 })]
      : []),
    line(slip.heading, { font: 'bold', size: base * 1.25, minSize: base * 0.8, gap: base * 0.4, rank: 9 }),
    ...(slip.network
      ? [
          whole(labelled(slip, slip.network.label, slip.network.ssid), {
            font: 'regular',
            size: base * 1.1,
            minSize: base * 0.8,
            gap: base * 0.15,
            rank: always,
          }),
        ]
      : []),
    ...(slip.password
      ? [
          whole(labelled(slip, slip.password.label, slip.password.text), {
            font: 'regular',
            size: base * 1.1,
            minSize: base * 0.8,
            gap: base * 0.15,
            rank: always,
          }),
        ]
      : []),
    ...(qr === undefined ? [] : [makeQr(document, slip.qr, qr, width, { gap: base * 0.9, rank: always })]),
    text(slip.codeLabel, { ...small, gap: base * (qr === undefined ? 0.5 : 0.9), rank: 2 }),
    whole(slip.formattedCode, {
      font: 'bold',
      size: code,
      minSize: base,
      gap: base * 0.2,
      rank: always,
    }),
    ...(slip.facts[0] ? [{ ...facts(0), reword: facts }] : []),
    ...(slip.steps === '' ? [] : [text(slip.steps, { ...small, gap: base * 0.5, rank: 5 })]),
    ...(slip.slipText === null
      ? []
      : [text(slip.slipText, { ...small, gap: base * 0.5, rank: 3, mayShorten: true })]),
    ...(slip.name === null
      ? []
      : [line(slip.name, { ...small, size: base * 0.75, minSize: base * 0.6, gap: base * 0.5, rank: 4 })]),
    ...(slip.missingNote === null
      ? []
      : [text(slip.missingNote, { ...small, size: base * 0.75, gap: base * 0.2, rank: 1 })]),
  ];
};

const heightOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, { height, gap }, index) => sum + height + (index === 0 ? 0 : gap), 0);

/**
 * As many of the pieces as there is room for: those of the
 * highest rank first, and shortened where that helps.
 */
const fitPieces = (all: readonly Piece[], height: number): Piece[] => {
  const chosen = new Map<Piece, Piece>();
  const inOrder = (): Piece[] => all.flatMap((piece) => chosen.get(piece) ?? []);
  for (const piece of all.toSorted((a, b) => b.rank - a.rank)) {
    chosen.set(piece, piece);
    const excess = heightOf(inOrder()) - height;
    if (excess <= 0 || piece.rank === always) continue;
    const shorter = piece.shorten?.(piece.height - excess);
    if (shorter && heightOf(inOrder()) - piece.height + shorter.height <= height) chosen.set(piece, shorter);
    else chosen.delete(piece);
  }
  return inOrder();
};

/** A piece counts for more than all of lower rank together. */
const weightOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, { rank }) => sum + 2 ** Math.min(rank, 10), 0);

const drawPieces = (pieces: readonly Piece[], x: number, top: number): void => {
  let y = top;
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) y += piece.gap;
    piece.draw(x, y);
    y += piece.height;
  }
};

/** The size of the text where it has this much room. */
const baseSizeFor = ({ width, height }: Pick<Box, 'width' | 'height'>): number =>
  Math.min(16, Math.max(minBaseSize, Math.min(Math.sqrt(width * height) / 20, height / linesAtLeast)));

/** A wide strip has a few lines, however much room is beside them. */
const linesAtLeast = 9.5;

/** Smaller text is hard to read. */
const minBaseSize = 5.8;

/** Smaller text is better than less of it, to a degree. */
const textScales = [1, 0.92, 0.84, 0.76, 0.7];
/** Code and QR code stay large. */
const minCodeScale = 0.8;
const codeSizePerBase = 2.7;

/**
 * For what would not be complete otherwise. Lower-case letters are 0.9 mm high,
 * as the law wants on small packages.
 */
const tightSizes = { base: 4.9, codeScale: 0.6 } as const;

/**
 * What it is worth to say the facts in more words, from most to fewest: sentences count for less than a name.
 */
const wordings = [57, 57, 45, 0] as const;

/**
 * The pieces in the largest size in which all of them fit, or in the largest in which the most important do.
 */
const choosePieces = (
  make: (sizes: Sizes) => Piece[],
  box: Pick<Box, 'width' | 'height'>,
  qrSide: number | undefined,
): Piece[] => {
  const largest = baseSizeFor(box);
  let most: { readonly pieces: Piece[]; readonly weight: number } = { pieces: [], weight: 0 };
  /** Returns true when everything fits, in sentences. */
  const choose = (base: number, codeScale: number): boolean => {
    const all = make({ base, code: largest * codeSizePerBase * codeScale, qr: qrSide && qrSide * codeScale });
    for (const [wording, worth] of wordings.entries()) {
      const worded = all.map((piece) => piece.reword?.(wording) ?? piece);
      const pieces = fitPieces(worded, box.height);
      const weight = weightOf(pieces) + worth;
      if (weight > most.weight) most = { pieces, weight };
      if (worth === wordings[0] && heightOf(worded) <= box.height) return true;
    }
    return false;
  };
  for (const scale of textScales)
    if (choose(Math.max(minBaseSize, largest * scale), Math.max(minCodeScale, scale))) return most.pieces;
  if (!most.pieces.some(({ rank }) => rank === ofFacts)) choose(tightSizes.base, tightSizes.codeScale);
  return most.pieces;
};

/** A slip inside a box, as large as the box allows: beside the QR code where it is wide, else around it. */
export const drawSlip = (document: Document, slip: PreparedSlip, box: Box): void => {
  const isWide = box.width >= box.height * 1.3;
  const qrSide = isWide
    ? Math.min(box.height, box.width * 0.36)
    : Math.min(box.width * 0.7, box.height * 0.36);
  const gap = isWide ? baseSizeFor(box) * 1.2 : 0;
  const width = isWide ? box.width - qrSide - gap : box.width;
  const isRtl = slip.direction === 'rtl';
  const start = isRtl ? 'right' : 'left';
  const pieces = choosePieces(
    (sizes) => makePieces(document, slip, width, isWide ? start : 'center', sizes),
    box,
    isWide ? undefined : qrSide,
  );
  const [qrX, textX] = isRtl ? [box.x + box.width - qrSide, box.x] : [box.x, box.x + box.width - width];
  if (isWide) drawQr(document, slip.qr, qrX, box.y + (box.height - qrSide) / 2, qrSide);
  drawPieces(pieces, textX, box.y + (box.height - heightOf(pieces)) / 2);
};

/** A slip for a roll of paper of this width: as long as it needs. */
export const makeRollSlip = (
  document: Document,
  slip: PreparedSlip,
  width: number,
): { readonly height: number; draw(x: number, y: number): void } => {
  const base = Math.min(10, width / 17);
  const sizes = { base, code: base * codeSizePerBase, qr: width * 0.62 };
  const pieces = makePieces(document, slip, width, 'center', sizes);
  return { height: heightOf(pieces), draw: (x, y) => drawPieces(pieces, x, y) };
};
