import type PDFDocument from 'pdfkit';
import { darkRuns, type QrSquares } from '../qrCode.js';
import type { VoucherSlip } from '../voucherSlip.js';

// How a slip looks in a PDF. What is on it is in `../voucherSlip.ts`, how slips are arranged on paper in `voucherPdf.ts`,
// and how a receipt printer prints the same in `../receipts/receipt.ts`.

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
  'logo' | 'qrText' | 'doesQrJoin' | 'siteName' | 'email'
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
}

interface TextStyle {
  readonly font: 'regular' | 'bold';
  readonly size: number;
  readonly gap: number;
  readonly rank: number;
  readonly color?: string;
  /** Between two lines, in parts of the size. */
  readonly spacing?: number;
  /** May the end be left out? */
  readonly mayShorten?: boolean;
}

type Align = 'left' | 'center';

const black = '#000000';
const grey = '#444444';

/** A text on as many lines as it needs. */
const makeText = (
  document: Document,
  text: string,
  width: number,
  align: Align,
  { font, size, gap, rank, color = black, spacing = 0.1, mayShorten = false }: TextStyle,
): Piece => {
  const options = { width, align, lineGap: size * spacing };
  document.font(font).fontSize(size);
  const full = document.heightOfString(text, options);
  const piece = (height: number): Piece => ({
    height,
    gap,
    rank,
    draw: (x, y) => {
      // With a height, pdfkit ends with an ellipsis instead of a new page.
      document
        .font(font)
        .fontSize(size)
        .fillColor(color)
        .text(text, x, y, { ...options, height: height + 0.5, ellipsis: true });
    },
    ...(mayShorten && {
      shorten: (available: number) => {
        const line = document.font(font).fontSize(size).currentLineHeight(true) + options.lineGap;
        const lines = Math.floor(available / line);
        return lines < 1 ? undefined : piece(lines * line);
      },
    }),
  });
  return piece(full);
};

type LineStyle = TextStyle & { readonly minSize: number };

/** The size in which a text fits on one line, but not below the smallest. */
const sizeOnLine = (
  document: Document,
  text: string,
  width: number,
  { font, size, minSize }: LineStyle,
): number => {
  const natural = document.font(font).fontSize(size).widthOfString(text);
  return Math.max(minSize, Math.min(size, (size * width * 0.99) / natural));
};

/** A text on one line, which becomes smaller until it fits, and ends with an ellipsis when it would be too small. */
const makeLine = (document: Document, text: string, width: number, align: Align, style: LineStyle): Piece => {
  const size = sizeOnLine(document, text, width, style);
  document.fontSize(size);
  const height = document.currentLineHeight(true);
  return {
    height,
    gap: style.gap,
    rank: style.rank,
    draw: (x, y) => {
      document
        .font(style.font)
        .fontSize(size)
        .fillColor(style.color ?? black)
        .text(text, x, y, { width, align, height: height + 0.5, ellipsis: true });
    },
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
  const scale = Math.min(maxHeight / picture.height, width / picture.width);
  const height = picture.height * scale;
  const indent = align === 'center' ? (width - picture.width * scale) / 2 : 0;
  return {
    ...style,
    height,
    draw: (x, y) => void document.image(picture, x + indent, y, { width: picture.width * scale, height }),
  };
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
  const text = (content: string, style: TextStyle): Piece => makeText(document, content, width, align, style);
  const line = (content: string, style: LineStyle): Piece => makeLine(document, content, width, align, style);
  /** All of a text: smaller at first, then on several lines. */
  const whole = (content: string, style: LineStyle): Piece =>
    text(content, { ...style, size: sizeOnLine(document, content, width, style), spacing: 0 });
  const small = { font: 'regular', size: base * 0.9, color: grey } as const;
  return [
    ...(slip.picture
      ? [makePicture(document, slip.picture, base * 3.2, width, align, { gap: 0, rank: 6 })]
      : []),
    line(slip.heading, { font: 'bold', size: base * 1.25, minSize: base * 0.8, gap: base * 0.4, rank: 9 }),
    ...(slip.network
      ? [
          whole(`${slip.network.label}: ${slip.network.ssid}`, {
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
          whole(`${slip.password.label}: ${slip.password.text}`, {
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
    text(slip.validity, { font: 'regular', size: base, gap: base * 0.2, rank: 8 }),
    text(slip.uses, { font: 'regular', size: base, gap: 0, rank: 7 }),
    ...(slip.limits?.split('\n') ?? []).map((limit, index) =>
      text(limit, { font: 'regular', size: base, gap: 0, rank: 6.9 - index * 0.2 }),
    ),
    ...(slip.steps === '' ? [] : [text(slip.steps, { ...small, gap: base * 0.5, rank: 5 })]),
    ...(slip.slipText === null
      ? []
      : [text(slip.slipText, { ...small, gap: base * 0.5, rank: 3, mayShorten: true })]),
    ...(slip.name === null
      ? []
      : [line(slip.name, { ...small, size: base * 0.75, minSize: base * 0.6, gap: base * 0.5, rank: 4 })]),
  ];
};

const heightOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, { height, gap }, index) => sum + height + (index === 0 ? 0 : gap), 0);

/** As many of the pieces as there is room for: those of the highest rank first, and shortened where that helps. */
const fitPieces = (all: readonly Piece[], height: number): Piece[] => {
  const chosen = new Map<Piece, Piece>();
  const inOrder = (): Piece[] => all.flatMap((piece) => chosen.get(piece) ?? []);
  for (const piece of all.toSorted((a, b) => b.rank - a.rank)) {
    chosen.set(piece, piece);
    const excess = heightOf(inOrder()) - height;
    if (excess <= 0 || piece.rank === always) continue;
    const shorter = piece.shorten?.(piece.height - excess);
    if (shorter) chosen.set(piece, shorter);
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
  Math.min(16, Math.max(minBaseSize, Math.sqrt(width * height) / 20));

/** Smaller text can not be read. */
const minBaseSize = 5.8;

/** Smaller text is better than less of it, to a degree. */
const textScales = [1, 0.92, 0.84, 0.76, 0.7];
/** Code and QR code stay large. */
const minCodeScale = 0.8;
const codeSizePerBase = 2.7;

/** The pieces in the largest size in which all of them fit, or in the largest in which the most important do. */
const choosePieces = (
  make: (sizes: Sizes) => Piece[],
  box: Pick<Box, 'width' | 'height'>,
  qrSide: number | undefined,
): Piece[] => {
  const largest = baseSizeFor(box);
  let most: Piece[] = [];
  for (const scale of textScales) {
    const codeScale = Math.max(minCodeScale, scale);
    const pieces = make({
      base: Math.max(minBaseSize, largest * scale),
      code: largest * codeSizePerBase * codeScale,
      qr: qrSide && qrSide * codeScale,
    });
    if (heightOf(pieces) <= box.height) return pieces;
    const fitting = fitPieces(pieces, box.height);
    if (weightOf(fitting) > weightOf(most)) most = fitting;
  }
  return most;
};

/** A slip inside a box, as large as the box allows: beside the QR code where it is wide, else around it. */
export const drawSlip = (document: Document, slip: PreparedSlip, box: Box): void => {
  const isWide = box.width >= box.height * 1.3;
  const qrSide = isWide
    ? Math.min(box.height, box.width * 0.36)
    : Math.min(box.width * 0.7, box.height * 0.36);
  const gap = isWide ? baseSizeFor(box) * 1.2 : 0;
  const width = isWide ? box.width - qrSide - gap : box.width;
  const pieces = choosePieces(
    (sizes) => makePieces(document, slip, width, isWide ? 'left' : 'center', sizes),
    box,
    isWide ? undefined : qrSide,
  );
  if (isWide) drawQr(document, slip.qr, box.x, box.y + (box.height - qrSide) / 2, qrSide);
  drawPieces(pieces, box.x + box.width - width, box.y + (box.height - heightOf(pieces)) / 2);
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
