import type { ServiceDefect } from './serviceDefect.js';

/** In how values are converted before they are validated. */
export const conversionDefects: readonly ServiceDefect[] = [
  {
    name: 'x-leading-number has no effect',
    file: 'src/contract/conversion.ts',
    from: '(more !== undefined && !takesLeadingNumber)',
    to: '(more !== undefined && (takesLeadingNumber || !takesLeadingNumber))',
  },
  {
    name: 'a leading number counts everywhere',
    file: 'src/contract/conversion.ts',
    from: '(more !== undefined && !takesLeadingNumber)',
    to: '(more !== undefined && more === number && !takesLeadingNumber)',
  },
  {
    name: 'fractions are rounded',
    file: 'src/contract/conversion.ts',
    from: 'Math.trunc(number)',
    to: 'Math.round(number)',
  },
  {
    name: 'x-above-maximum has no effect',
    file: 'src/contract/conversion.ts',
    from: 'if (above && integer > maximum) return maximum;',
    to: 'if (above && integer > maximum) return integer;',
  },
  {
    name: 'below the minimum counts the minimum, not the default',
    file: 'src/contract/conversion.ts',
    from: `below === 'default' ? standard : minimum`,
    to: 'standard === below ? standard : minimum',
  },
  {
    name: 'defaults are not applied',
    file: 'src/contract/conversion.ts',
    from: 'converted === undefined && standard !== undefined ?',
    to: 'converted === undefined && standard === null ?',
  },
  {
    name: 'x-trim leaves the end',
    file: 'src/contract/conversion.ts',
    from: 'while (start < end && blanks.includes(text.charAt(end - 1))) end -= 1;',
    to: '',
  },
  {
    name: 'NUL characters stay',
    file: 'src/contract/conversion.ts',
    from: "text.replaceAll('\\0', '')",
    to: 'text',
  },
  {
    name: 'true is a name',
    file: 'src/contract/conversion.ts',
    from: `typeof value === 'number' ? String(value) : ''`,
    to: `typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''`,
  },
  {
    name: 'a qos that is no object is refused',
    file: 'src/contract/conversion.ts',
    from: `if (!isObject(value) && otherwise === 'absent') return undefined;`,
    to: `if (!isObject(value) && otherwise === 'absent') return value;`,
  },
  {
    name: 'exponents are not read',
    file: 'src/contract/conversion.ts',
    from: '(?:e[+-]?\\d+)?',
    to: '',
  },
];
