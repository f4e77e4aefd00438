import { Refusal } from '../lib/problem.js';
import type { SiteLogo } from '../storage/siteLogos.js';

const maxLogoBytes = 256 * 1024;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** How files of a kind begin. SVG is not among them: it can hold script. */
const signatures = [
  { mediaType: 'image/png', bytes: Buffer.from('89504e470d0a1a0a', 'hex') },
  { mediaType: 'image/jpeg', bytes: Buffer.from('ffd8ff', 'hex') },
] as const;

/** Parses a picture in base64. Throws `Refusal`. */
export const parseLogo = (text: string): SiteLogo => {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  // Before anything is decoded.
  if ((text.length / 4) * 3 - padding > maxLogoBytes)
    throw new Refusal('image-too-large', 'a logo has at most 256 KiB', 'invalid');
  const image = text.length % 4 === 0 && base64.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  const kind = signatures.find(({ bytes }) => image.subarray(0, bytes.length).equals(bytes));
  if (!kind) throw new Refusal('image-invalid', 'a logo is a PNG or a JPEG picture', 'invalid');
  return { mediaType: kind.mediaType, image };
};
