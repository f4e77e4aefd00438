import { Refusal } from '../errors/problem.js';

/** Control characters, line breaks, broken characters, and those that change the reading direction. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

/**
 * Anything but what takes no ink: spaces, marks without a letter, format characters, and letters that are
 * blank.
 */
const visible = /[^\p{C}\p{Z}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/u;

/**
 * Parses the name of a key, a site or the like: 1 to 255 characters after trimming, all of which can be
 * shown.
 */
export const toLabel = (text: string, maxCharacters = 255): string => {
  const label = text.replaceAll('\0', '').trim();
  if (label === '' || Array.from(label).length > maxCharacters)
    throw new Refusal('name-invalid', `1 to ${String(maxCharacters)} characters`, 'invalid');
  if (!visible.test(label)) throw new Refusal('name-invalid', 'at least one visible character', 'invalid');
  if (unprintable.test(label))
    throw new Refusal('name-invalid', 'control characters and line breaks can not be shown', 'invalid');
  return label;
};

/** Text from outside that is read by people: one line, of at most so many characters. */
export const toStoredLine = (text: string, maxLength: number): string =>
  text
    .slice(0, maxLength)
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .trim();

/** Text from outside as one line without control characters. */
export const sanitizeLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/**
 * The client's name in the stored name of a voucher, which is what people read; empty where there was none.
 */
export const toTypedName = (storedName: string): string => storedName.replace(/^\d{4}-\d{2}-\d{2}_?/, '');
