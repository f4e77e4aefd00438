import { Refusal } from '../errors/problem.js';

/** Which numbers SMS go to. */
export interface NumberRules {
  /** For numbers that are entered without one; null where they need one. */
  readonly countryCode: string | null;
  /** What a number has to begin with; empty for all. */
  readonly allowedCodes: readonly string[];
}

/** What people write between the digits. */
const separators = /[\s().\-/\u{2010}-\u{2013}\u{a0}]/gu;
/** Where the first 0 belongs to the number. */
const codesWithZero = ['39', '378'];

/** The number as E.164: +491711234567. Throws `Refusal`. */
export const toPhoneNumber = (given: string, { countryCode, allowedCodes }: NumberRules): string => {
  // The 0 that is left out after a country code: +49 (0) 171.
  const digits = given
    .trim()
    .replace(/(?<=^(?:\+|00)[\d\s]{1,6})\(0\)/, '')
    .replaceAll(separators, '');
  const international = withCountryCode(digits, countryCode);
  if (!/^\+[1-9]\d{6,14}$/.test(international))
    throw new Refusal('sms-number-invalid', 'not a phone number with a country code', 'invalid');
  if (allowedCodes.length > 0 && !allowedCodes.some((code) => international.startsWith(`+${code}`)))
    throw new Refusal('sms-number-refused', 'SMS are not sent to numbers of this country');
  return international;
};

const withCountryCode = (digits: string, countryCode: string | null): string => {
  if (digits.startsWith('+')) return digits;
  if (digits.startsWith('00')) return `+${digits.slice(2)}`;
  if (countryCode === null) return digits;
  return `+${countryCode}${codesWithZero.includes(countryCode) ? digits : digits.replace(/^0/, '')}`;
};

/** A number as it may stand where others read it: its first and last two digits. */
export const maskPhoneNumber = (number: string): string => `${number.slice(0, 3)}…${number.slice(-2)}`;
