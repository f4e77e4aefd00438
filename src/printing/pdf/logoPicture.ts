import { PNG } from 'pngjs';
import type { SiteLogo } from '../../storage/siteLogos.js';

/** More than paper can show in the size of a logo; a small file may unpack to much more. */
const maxPixels = 4_000_000;

/**
 * A logo as a file that can be put into a PDF; undefined when it is damaged or too large. PNG is decoded here and written
 * anew: pdfkit would throw where nobody can catch it, or read a damaged one for ever.
 */
export const toPdfPicture = (logo: SiteLogo): Buffer | undefined => {
  if (logo.mediaType === 'image/jpeg') return logo.image;
  // All slips of a site share a logo.
  if (!pictures.has(logo)) pictures.set(logo, rewritePng(logo.image));
  return pictures.get(logo);
};

const pictures = new WeakMap<SiteLogo, Buffer | undefined>();

const rewritePng = (image: Buffer): Buffer | undefined => {
  try {
    // The first chunk has to be the header.
    const pixels = image.readUInt32BE(16) * image.readUInt32BE(20);
    // What is interlaced would be unpacked without a limit.
    if (pixels > maxPixels || image.readUInt8(28) !== 0) return undefined;
    return PNG.sync.write(PNG.sync.read(image));
  } catch {
    return undefined;
  }
};
