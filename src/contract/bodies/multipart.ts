import { boundaryOf, parsePartHeaders, type PartHeaders } from './partHeaders.js';
import type { MessageKey } from '../standardMessages.js';

/** One field of a `multipart/form-data` body. */
export interface Part extends PartHeaders {
  /** A view of the body, not a copy. */
  readonly content: Buffer;
}

/** Why a body can't be divided into parts: a name among `x-messages`. */
export type MultipartFault = Extract<
  MessageKey,
  'multipart' | 'multipart_boundary' | 'multipart_parts' | 'multipart_headers'
>;

export const maxParts = 1_000;

export const maxPartHeaderBytes = 8 * 1024;

const [lineFeed, carriageReturn, tab, blank, hyphen] = [10, 13, 9, 32, 45];

/**
 * Divides a body as RFC 2046 and RFC 7578 say. Nothing malformed is skipped:
 * what a client has sent either reaches the handler or is refused.
 */
export const parseMultipart = (bytes: Buffer, contentType: string): readonly Part[] | MultipartFault => {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) return 'multipart_boundary';
  const opening = Buffer.from(`--${boundary}`);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  /** Where what stands before the next delimiter ends. */
  const nextFrom = (start: number): number => bytes.indexOf(delimiter, start);
  const beginsAtOnce = bytes.subarray(0, opening.length).equals(opening);
  const preambleEnd = beginsAtOnce ? 0 : nextFrom(0);
  if (preambleEnd < 0) return 'multipart';
  let at = beginsAtOnce ? opening.length : preambleEnd + delimiter.length;
  const parts: Part[] = [];
  for (;;) {
    if (bytes[at] === hyphen && bytes[at + 1] === hyphen) return parts;
    while (bytes[at] === blank || bytes[at] === tab) at += 1;
    if (bytes[at] !== carriageReturn || bytes[at + 1] !== lineFeed) return 'multipart';
    if (parts.length === maxParts) return 'multipart_parts';
    const start = at + 2;
    const headerBytes = bytes.subarray(start, start + maxPartHeaderBytes + 4);
    const length = headerBytes.indexOf('\r\n\r\n');
    if (length < 0) return headerBytes.length > maxPartHeaderBytes ? 'multipart_headers' : 'multipart';
    const written = headerBytes.subarray(0, length);
    // A delimiter with a colon in it would look like one of them.
    const headers = written.includes(delimiter) ? undefined : parsePartHeaders(written);
    const contentStart = start + length + 4;
    const contentEnd = nextFrom(contentStart);
    if (!headers || contentEnd < 0) return 'multipart';
    parts.push({ ...headers, content: bytes.subarray(contentStart, contentEnd) });
    at = contentEnd + delimiter.length;
  }
};
