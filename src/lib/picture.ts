import type sharpModule from 'sharp';
import type { OutputInfo, Sharp } from 'sharp';
import { limitConcurrencyByKey } from './concurrency.js';
import { CodedError } from '../errors/codedError.js';

export type PictureType = 'image/png' | 'image/jpeg';

/** A PNG or JPEG file. */
export interface PictureFile {
  readonly mediaType: PictureType;
  readonly image: Buffer;
}

/** Pixels from 0, black, to 255, white. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Why a file can not be used as a picture. */
export class PictureError extends CodedError<PictureErrorCode> {
  override readonly name = 'PictureError';

  constructor(code: PictureErrorCode) {
    super(code, errorTexts[code], { kind: 'invalid' });
  }
}

type PictureErrorCode = 'invalid' | 'too-many-pixels' | 'side-too-long';

const errorTexts: Readonly<Record<PictureErrorCode, string>> = {
  invalid: 'the picture can not be decoded',
  'too-many-pixels': 'the picture has too many pixels',
  'side-too-long': 'the picture is too wide or too high',
};

/** A small file may unpack to much more. */
const maxPixels = 4_000_000;
/**
 * Each row has a cost of its own: a picture of 1 × 4,000,000 pixels takes a hundred times as long as a square
 * one.
 */
const maxSide = 10_000;
/** One picture after the other: SQLite shares the threads. */
const decodeInTurn = limitConcurrencyByKey(1);
/** Far more than any picture within the limits needs, also on a busy machine. */
const timeoutS = 60;

/**
 * Decodes a picture and re-encodes it, at most as large as given: nothing but the pixels of the file remains.
 * Only the first frame of an animation counts. It runs outside the main thread. Throws `PictureError`.
 */
export const rewritePicture = async (
  file: Buffer,
  largest: Size,
  asType?: PictureType,
): Promise<PictureFile> => {
  const sharp = await loadSharp();
  const given = await readType(sharp, file);
  const mediaType = asType ?? given;
  const { data, info } = await decode(sharp, file, largest);
  const { width, height, channels } = info;
  const picture = sharp(data, { raw: { width, height, channels } });
  if (mediaType === 'image/jpeg') return { mediaType, image: await picture.jpeg({ quality: 90 }).toBuffer() };
  // A PDF takes a PNG without transparency as it is.
  if (channels === 4 && isOpaque(data)) picture.removeAlpha();
  return { mediaType, image: await picture.png({ compressionLevel: 9 }).toBuffer() };
};

/** A picture as it looks on white paper, without colours. Throws `PictureError`. */
export const toGreyPicture = async (file: Buffer, largest: Size): Promise<GreyPicture> => {
  const sharp = await loadSharp();
  await readType(sharp, file);
  const { data, info } = await decode(sharp, file, largest, (picture) =>
    picture.flatten({ background: '#ffffff' }).toColourspace('b-w'),
  );
  return { width: info.width, height: info.height, pixels: data };
};

/**
 * Fills shapes, given as the path of an SVG, with black on white.
 * Shapes of letters need no font of the machine.
 */
export const drawShapes = async (path: string, { width, height }: Size): Promise<GreyPicture> => {
  const sharp = await loadSharp();
  const size = `width="${String(width)}" height="${String(height)}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><path shape-rendering="crispEdges" d="${path}"/></svg>`;
  const picture = sharp(Buffer.from(svg), { unlimited: true }).flatten({ background: '#ffffff' });
  const pixels = await decodeInTurn('decode', () =>
    picture.toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer(),
  );
  return { width, height, pixels };
};

/** How bright what is seen of a picture is, where its ground shows through; `opaque` where it does not. */
export type PictureTone = 'light' | 'dark' | 'opaque';

/** Throws `PictureError`. */
export const measureTone = async (file: Buffer): Promise<PictureTone> => {
  const sharp = await loadSharp();
  await readType(sharp, file);
  const { data, info } = await decode(sharp, file, toneSize, (picture) =>
    picture.ensureAlpha().toColourspace('srgb'),
  );
  if (info.channels !== 4 || isOpaque(data)) return 'opaque';
  let [brightness, weight] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
    brightness += (0.2126 * red + 0.7152 * green + 0.0722 * blue) * alpha;
    weight += alpha;
  }
  return brightness / Math.max(weight, 1) > 150 ? 'light' : 'dark';
};

/** Enough to tell. */
const toneSize = { width: 120, height: 120 };

type SharpModule = typeof sharpModule;

let loaded: Promise<SharpModule> | undefined;

/** Loaded when it is used: most services handle pictures rarely. */
const loadSharp = (): Promise<SharpModule> =>
  (loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    // Its other decoders are never needed. That of SVG draws shapes of ours:
    // files from outside do not reach it.
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadSvg'] });
    return sharp;
  }));

/** What PNG and JPEG files begin with. */
const signatures = [Buffer.from('89504e47', 'hex'), Buffer.from('ffd8ff', 'hex')];

const readType = async (sharp: SharpModule, file: Buffer): Promise<PictureType> => {
  if (!signatures.some((signature) => file.subarray(0, signature.length).equals(signature)))
    throw new PictureError('invalid');
  // Reads the header only.
  const { format, width, height } = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new PictureError('invalid');
    });
  if (format !== 'png' && format !== 'jpeg') throw new PictureError('invalid');
  if (width * height > maxPixels) throw new PictureError('too-many-pixels');
  if (Math.max(width, height) > maxSide) throw new PictureError('side-too-long');
  return `image/${format}`;
};

const decode = (
  sharp: SharpModule,
  file: Buffer,
  largest: Size,
  adjust: (picture: Sharp) => Sharp = (picture) => picture.toColourspace('srgb'),
): Promise<{ data: Buffer; info: OutputInfo }> =>
  decodeInTurn('decode', async () => {
    const picture = sharp(file, { limitInputPixels: maxPixels, failOn: 'warning' })
      .timeout({ seconds: timeoutS })
      // Photographs say which side is up; what says so is not kept.
      .autoOrient()
      .resize({ ...largest, fit: 'inside', withoutEnlargement: true });
    try {
      return await adjust(picture).raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
    } catch {
      throw new PictureError('invalid');
    }
  });

const isOpaque = (pixels: Buffer): boolean => {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false;
  return true;
};
