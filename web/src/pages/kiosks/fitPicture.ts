import { readDataUrl } from '../../lib/dataUrl.ts';

/** What the service stores. */
const maxSide = 1920;
const maxBytes = 1024 * 1024;

/**
 * A picture as an address that holds it, in a size that the service takes: photographs of a phone are larger. Undefined
 * for a file that is no picture.
 */
export const fitPicture = async (file: Blob): Promise<string | undefined> => {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return undefined;
  const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
  if (scale === 1 && file.size <= maxBytes) return readDataUrl(file);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  for (const quality of [0.85, 0.6]) {
    const blob = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/jpeg', quality);
    });
    if (blob && blob.size <= maxBytes) return readDataUrl(blob);
  }
  return undefined;
};
