import type { System } from '../lib/system.js';

/** How the codes look that we choose for a controller. */
export interface CodeForm {
  readonly alphabet: keyof typeof alphabets;
  readonly length: number;
}

const alphabets = {
  /** They are typed on any keyboard, and no database or portal confuses upper and lower case. */
  digits: '0123456789',
  /** Without those that look like others: 0 and O, 1, I and L, 2 and Z, 5 and S, 8 and B. */
  letters: '34679ACDEFGHJKMNPQRTUVWXY',
} as const;

/** Draws different codes. Every code of the form is equally likely. */
export const drawCodes = (form: CodeForm, count: number, system: Pick<System, 'randomBytes'>): string[] => {
  const codes = new Set<string>();
  while (codes.size < count) codes.add(drawCode(form, system));
  return [...codes];
};

const drawCode = ({ alphabet, length }: CodeForm, system: Pick<System, 'randomBytes'>): string => {
  const characters = alphabets[alphabet];
  // A byte beyond the last whole multiple would make the first characters more likely.
  const usable = 256 - (256 % characters.length);
  let code = '';
  while (code.length < length)
    for (const byte of system.randomBytes(length - code.length))
      if (byte < usable) code += characters.charAt(byte % characters.length);
  return code;
};
