import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import jsqr from 'jsqr';
import type { PDFDocumentProxy } from 'pdfjs-dist';

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/** A page as somebody sees it. Sizes are in points. */
export interface RenderedPage {
  readonly width: number;
  readonly height: number;
  /** The texts on it, in the order in which they were drawn. */
  readonly texts: readonly string[];
  /** Draws it, or a part of it. */
  draw(area?: Area, scale?: number): Promise<Pixels>;
  /** Reads the QR code in it, or in a part of it. A large one is found as well at half the scale, much sooner. */
  readQr(area?: Area, scale?: number): Promise<string | undefined>;
}

const packageFolder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

const openPdf = async (file: Uint8Array): Promise<PDFDocumentProxy> => {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  return getDocument({
    data: new Uint8Array(file),
    standardFontDataUrl: `${join(packageFolder, 'standard_fonts')}/`,
    verbosity: 0,
  }).promise;
};

/** Reads a QR code in a picture. */
export const readQrCode = ({ data, width, height }: Pixels): string | undefined => {
  // The types of a package without an ES module.
  const decode = jsqr as unknown as typeof jsqr.default;
  return decode(data, width, height, { inversionAttempts: 'dontInvert' })?.data;
};

/** Opens a PDF, hands all of its pages to `look`, and closes it. */
export const withPdf = async <T>(
  file: Uint8Array,
  look: (pages: readonly RenderedPage[]) => Promise<T> | T,
): Promise<T> => {
  const document = await openPdf(file);
  try {
    const numbers = Array.from({ length: document.numPages }, (_, index) => index + 1);
    return await look(await Promise.all(numbers.map((number) => openPage(document, number))));
  } finally {
    await document.destroy();
  }
};

const openPage = async (document: PDFDocumentProxy, number: number): Promise<RenderedPage> => {
  const page = await document.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  const draw: RenderedPage['draw'] = async (area = { x: 0, y: 0, width, height }, scale = 2) => {
    const viewport = page.getViewport({ scale, offsetX: -area.x * scale, offsetY: -area.y * scale });
    const canvas = createCanvas(Math.ceil(area.width * scale), Math.ceil(area.height * scale));
    const context = canvas.getContext('2d');
    await page.render({ canvas: canvas as never, canvasContext: context as never, viewport }).promise;
    return context.getImageData(0, 0, canvas.width, canvas.height);
  };
  return {
    width,
    height,
    texts: items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item.str] : [])),
    draw,
    readQr: async (area, scale) => readQrCode(await draw(area, scale)),
  };
};
