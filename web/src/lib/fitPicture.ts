import { readDataUrl } from './dataUrl.ts';

/** Larger files are refused: decoding them takes a browser too much memory. */
export const maxFileBytes = 20e6;

export interface PictureFit {
  /** What the service takes of the type of the file, unless it is too large. */
  readonly types: readonly string[];
  /** Both in pixels. */
  readonly maxSide: number;
  readonly maxBytes: number;
  /** What a picture that has to be made smaller becomes. PNG keeps what is transparent. */
  readonly type: 'image/jpeg' | 'image/png';
}

/** A background: photographs of a phone are larger. */
export const backgroundFit: PictureFit = {
  types: ['image/png', 'image/jpeg'],
  maxSide: 1920,
  maxBytes: 1024 * 1024,
  type: 'image/jpeg',
};

/** A logo or an icon. It is stored in less than half of this size. */
export const logoFit: PictureFit = {
  types: ['image/png', 'image/jpeg'],
  maxSide: 1000,
  maxBytes: 256 * 1024,
  type: 'image/png',
};

/** What is tried one after the other, until the picture is small enough. */
const attempts: Readonly<Record<PictureFit['type'], readonly { share: number; quality?: number }[]>> = {
  'image/jpeg': [
    { share: 1, quality: 0.85 },
    { share: 1, quality: 0.6 },
  ],
  'image/png': [{ share: 1 }, { share: 0.5 }, { share: 0.25 }],
};

/**
 * A picture as an address that holds it, in a size that the service takes, with its aspect ratio. Undefined for a file
 * that is no picture.
 */
export const fitPicture = async (file: Blob, fit: PictureFit): Promise<string | undefined> => {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return undefined;
  const scale = Math.min(1, fit.maxSide / Math.max(bitmap.width, bitmap.height));
  if (scale === 1 && file.size <= fit.maxBytes && fit.types.includes(file.type)) return readDataUrl(file);
  for (const { share, quality } of attempts[fit.type]) {
    const blob = await draw(bitmap, scale * share, fit.type, quality);
    if (blob && blob.size <= fit.maxBytes) return readDataUrl(blob);
  }
  return undefined;
};

const draw = (
  bitmap: ImageBitmap,
  scale: number,
  type: PictureFit['type'],
  quality?: number,
): Promise<Blob | null> => {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (context) {
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  }
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
};
