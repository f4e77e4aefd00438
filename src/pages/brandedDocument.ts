import type { Log } from '../log/log.js';
import type { Awaitable } from '../lib/awaitable.js';

/** How the web UI looks, as far as its document is concerned. The script of the document reads all of it. */
interface DocumentBrand {
  readonly title: string | null;
  /** The version of the picture. */
  readonly icon: string | null;
}

export type ReadBrand = () => Awaitable<DocumentBrand>;

/** Longer than any database takes that works: the document itself then says what is wrong. */
const timeoutMs = 1000;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '%': '&#37;',
};

const escapeForPlace = (text: string): string => text.replaceAll(/[&<>"'%]/g, (sign) => escapes[sign] ?? '');

/** Writes the branding into the document. */
export type BrandDocument = (document: string) => Awaitable<string>;

/** The text of an administrator can't end the attribute or element that it stands in, nor have a place of its own filled in. */
export const fillBrand = (document: string, brand: DocumentBrand | null): string => {
  const values: Readonly<Record<string, string>> = {
    '%BRANDING%': brand ? JSON.stringify(brand) : '',
    '%TITLE%': brand?.title ?? 'voucherd',
    '%ICON%': brand?.icon ? `/web/branding/pictures/${brand.icon}` : '/docs/logo.svg',
  };
  return document.replaceAll(/%(?:BRANDING|TITLE|ICON)%/g, (place) => escapeForPlace(values[place] ?? ''));
};

/** With the branding as it is now, so that the web UI looks like it from the first moment on, and asks for nothing. */
export const makeBrandDocument = (readBrand: ReadBrand, log: Pick<Log, 'warn'>): BrandDocument => {
  let last: DocumentBrand | null = null;
  return async (document) => {
    try {
      last = await withTimeout(readBrand());
    } catch (error) {
      log.warn({ err: error }, 'branding not read: the pages look as before');
    }
    return fillBrand(document, last);
  };
};

const withTimeout = async <T>(work: Awaitable<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${String(timeoutMs)} ms`)), timeoutMs);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
};
