import { UserRefusal } from './refusal.js';

/** Control and format characters, broken and unassigned ones, and line breaks. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/u;
const maxNameCharacters = 100;
const maxEmailLength = 254;

/** Parses the name that somebody signs in with. */
export const parseUserName = (text: string): string => {
  const name = text.trim().normalize('NFC');
  if (name === '' || Array.from(name).length > maxNameCharacters || invisible.test(name))
    throw new UserRefusal('name-invalid');
  return name;
};

/** Parses an e-mail address. */
export const parseEmail = (text: string): string => {
  const email = text.trim().normalize('NFC');
  if (email.length > maxEmailLength || invisible.test(email) || !isEmailAddress(email))
    throw new UserRefusal('email-invalid');
  return email;
};

/** What names and e-mail addresses are compared by: without case, and without variants of the same letter. */
export const toUserKey = (text: string): string => text.trim().normalize('NFKC').toLowerCase();

/**
 * The key of what was entered at sign-in; empty, which no user has, when no name and no address looks like
 * that.
 */
export const toLoginKey = (text: string): string =>
  text.length > 4 * maxEmailLength || invisible.test(text.trim()) ? '' : toUserKey(text);

/** Letters and digits that can't be mistaken for each other: 32, so each stands for five bits. */
const codeCharacters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Makes a random code, such as `k7wm-3xqp` for two groups of four. */
export const makeRandomCode = (
  system: { randomBytes(size: number): Buffer },
  groups: number,
  groupLength: number,
): string =>
  Array.from({ length: groups }, () =>
    Array.from(system.randomBytes(groupLength), (byte) => codeCharacters.charAt(byte % 32)).join(''),
  ).join('-');

const pattern = /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}]+$/u;

/**
 * Is it one e-mail address, and nothing that a mail program could read as more? Whether it exists is found
 * out by writing to it.
 */
export const isEmailAddress = (text: string): boolean => pattern.test(text);
