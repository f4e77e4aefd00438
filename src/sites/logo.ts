import { PictureError, rewritePicture, type PictureFile, type PictureType } from '../lib/picture.js';
import { Refusal } from '../errors/problem.js';
import type { SiteLogo } from './logoTable.js';

export const maxLogoBytes = 256 * 1024;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** How files of a kind begin. SVG is not among them: it can hold script. */
const signatures = [Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('ffd8ff', 'hex')];

/** Enough for a slip of 110 mm, where a logo is 14 mm high, and for the screen of a kiosk. */
const logoSize = { width: 1200, height: 400 };

/** How large a picture may be. */
interface PictureLimits {
  readonly maxBytes: number;
  /** It is stored in this size at most. */
  readonly size: { readonly width: number; readonly height: number };
  /** It is stored as this; without it as what it is. */
  readonly asType?: PictureType;
}

/** Parses a logo in base64. Throws `Refusal`. */
export const parseLogo = (text: string): Promise<SiteLogo> =>
  toUploadedPicture(text, { maxBytes: maxLogoBytes, size: logoSize });

/**
 * Parses a picture in base64, and re-encodes it in the size that is needed: it is decoded here, once,
 * and not whenever somebody prints. Throws `Refusal`.
 */
export const toUploadedPicture = async (
  text: string,
  { maxBytes, size, asType }: PictureLimits,
): Promise<PictureFile> => {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  // Before anything is decoded.
  if ((text.length / 4) * 3 - padding > maxBytes) throw tooLarge(maxBytes);
  const image = text.length % 4 === 0 && base64.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  if (!signatures.some((bytes) => image.subarray(0, bytes.length).equals(bytes))) throw refusalOf('invalid');
  try {
    return await rewritePicture(image, size, asType);
  } catch (error) {
    throw error instanceof PictureError ? refusalOf(error.code) : error;
  }
};

const tooLarge = (maxBytes: number): Refusal =>
  maxBytes === maxLogoBytes
    ? new Refusal('image-too-large', 'a logo has at most 256 KiB', 'invalid')
    : new Refusal('background-too-large', `a picture has at most ${String(maxBytes / 1024)} KiB`, 'invalid');

const refusalOf = (reason: PictureError['code']): Refusal => {
  switch (reason) {
    case 'invalid':
      return new Refusal('image-invalid', 'a picture is a PNG or a JPEG picture', 'invalid');
    case 'too-many-pixels':
      return new Refusal('image-too-many-pixels', 'a picture has at most 4 megapixels', 'invalid');
    case 'side-too-long':
      return new Refusal(
        'image-side-too-long',
        'a picture is at most 10,000 pixels wide and 10,000 pixels high',
        'invalid',
      );
  }
};
