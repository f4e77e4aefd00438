import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { PictureError, toGreyPicture, type GreyPicture } from '../lib/picture.js';
import type { ReceiptPaper } from './printerTable.js';
import type { SiteLogo } from '../sites/logoTable.js';

/** A logo that is ready to be printed. */
export interface PrintedLogo {
  /** A file that can be put into a PDF or an e-mail as it is. */
  readonly file: Buffer;
  readonly mediaType: SiteLogo['mediaType'];
  /** As receipt printers print it. */
  readonly grey: Readonly<Record<ReceiptPaper, GreyPicture>>;
}

/** Half the width of the paper, of which 384 or 576 dots can be printed. */
const greyWidths: Readonly<Record<ReceiptPaper, number>> = { '58mm': 192, '80mm': 288 };
const greyHeight = 160;

const maxCachedBytes = 8 * 1024 * 1024;
/** For one that can not be printed, too. */
const entryBytes = 1024;

/** Prepares a stored logo for paper. Returns undefined when it is damaged. */
export type PrepareLogo = (logo: SiteLogo) => Promise<PrintedLogo | undefined>;

/** The results are cached, because all slips of a site share a logo. */
export const makePrepareLogo = (): PrepareLogo => {
  const cache = new LRUCache<string, { readonly logo: PrintedLogo | undefined }>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ logo }) => entryBytes + sizeOf(logo),
  });
  return async (stored) => {
    const hash = createHash('sha256').update(stored.image).digest('base64');
    const cached = cache.get(hash);
    if (cached) return cached.logo;
    const logo = await prepare(stored);
    cache.set(hash, { logo });
    return logo;
  };
};

const prepare = async ({ image: file, mediaType }: SiteLogo): Promise<PrintedLogo | undefined> => {
  try {
    const toGrey = (paper: ReceiptPaper) =>
      toGreyPicture(file, { width: greyWidths[paper], height: greyHeight });
    return { file, mediaType, grey: { '58mm': await toGrey('58mm'), '80mm': await toGrey('80mm') } };
  } catch (error) {
    // A slip without its picture is better than none.
    if (error instanceof PictureError) return undefined;
    throw error;
  }
};

const sizeOf = (logo: PrintedLogo | undefined): number =>
  logo ? logo.file.length + logo.grey['58mm'].pixels.length + logo.grey['80mm'].pixels.length : 0;
