import type { Log } from '../log/log.js';
import type { Awaitable } from '../lib/awaitable.js';

/**
 * How the web UI looks, as far as documents are concerned. The script of its own document reads all of it.
 */
export interface DocumentBrand {
  readonly title: string | null;
  /** The version of the picture. */
  readonly icon: string | null;
  readonly logo: { readonly version: string; readonly tone: string | null } | null;
  /** The colours of links, among others. */
  readonly palette: Readonly<Record<'light' | 'dark', { readonly text: string }>> | null;
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

/** For an attribute, an element, or a place that is filled in. */
export const escapeForPlace = (text: string): string =>
  text.replaceAll(/[&<>"'%]/g, (sign) => escapes[sign] ?? '');

export const picturePathOf = (version: string): string => `/web/branding/pictures/${version}`;

export const iconPathOf = (brand: DocumentBrand | null): string =>
  brand?.icon ? picturePathOf(brand.icon) : '/docs/logo.svg';

/** Writes the branding into the document. */
export type BrandDocument = (document: string) => Awaitable<string>;

/**
 * The text of an administrator can't end the attribute or element that it stands in,
 * nor have a place of its own filled in.
 */
export const fillBrand = (document: string, brand: DocumentBrand | null): string => {
  const values: Readonly<Record<string, string>> = {
    '%BRANDING%': brand ? JSON.stringify(brand) : '',
    '%TITLE%': brand?.title ?? 'voucherd',
    '%ICON%': iconPathOf(brand),
  };
  return document.replaceAll(/%(?:BRANDING|TITLE|ICON)%/g, (place) => escapeForPlace(values[place] ?? ''));
};

/** The branding as it is now, or as it was last; null for a service without any. */
export type CurrentBrand = () => Awaitable<DocumentBrand | null>;

export const makeCurrentBrand = (readBrand: ReadBrand, log: Pick<Log, 'warn'>): CurrentBrand => {
  let last: DocumentBrand | null = null;
  return async () => {
    try {
      last = await withTimeout(readBrand());
    } catch (error) {
      log.warn({ err: error }, 'branding not read: the pages look as before');
    }
    return last;
  };
};

/** So that the web UI looks like its branding from the first moment on, and asks for nothing. */
export const makeBrandDocument =
  (currentBrand: CurrentBrand): BrandDocument =>
  async (document) =>
    fillBrand(document, await currentBrand());

const withTimeout = async <T>(work: Awaitable<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${String(timeoutMs)} ms`)), timeoutMs);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
};
