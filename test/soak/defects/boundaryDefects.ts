import type { ServiceDefect } from './serviceDefect.js';

/** At the edges of what is converted, trimmed and replaced. */
export const boundaryDefects: readonly ServiceDefect[] = [
  {
    name: 'exponents must be written in lower case',
    file: 'src/contract/conversion.ts',
    from: '([^]))/i;',
    to: '([^]))/;',
  },
  {
    name: 'a vertical tab in front of a number is not trimmed',
    file: 'src/contract/conversion.ts',
    from: String.raw`/^[ \t\n\r\v\f]*([+-]?`,
    to: String.raw`/^[ \t\n\r\f]*([+-]?`,
  },
  {
    name: 'true is no number',
    file: 'src/contract/conversion.ts',
    from: 'Number(value === true)',
    to: '0',
  },
  {
    name: 'an infinite number is the largest',
    file: 'src/contract/conversion.ts',
    from: 'Math.trunc(number) + 0 : 0;',
    to: 'Math.trunc(number) + 0 : number === Infinity ? Number.MAX_SAFE_INTEGER : 0;',
  },
  {
    name: 'hexadecimal texts are numbers',
    file: 'src/contract/conversion.ts',
    from: 'const [, number, more] = decimal.exec(text) ?? [];',
    to: `if (/^0x[0-9a-f]+$/i.test(text)) return Number(text);
  const [, number, more] = decimal.exec(text) ?? [];`,
  },
  {
    name: 'a decimal point without digits in front of it is not read',
    file: 'src/contract/conversion.ts',
    from: String.raw`(?:\d+(?:\.\d*)?|\.\d+)`,
    to: String.raw`(?:\d+(?:\.\d*)?)`,
  },
  {
    name: 'only blanks are trimmed from names',
    file: 'src/contract/conversion.ts',
    from: "const blanks = ' \\t\\n\\r\\v\\f';",
    to: "const blanks = ' ';",
  },
  {
    name: 'NUL characters are removed after trimming',
    file: 'src/contract/conversion.ts',
    from: 'trimBlanks(removeNul(toText(value)))',
    to: 'removeNul(trimBlanks(toText(value)))',
  },
  {
    name: 'a zero is not replaced by the default',
    file: 'src/contract/conversion.ts',
    from: 'if (below && integer < minimum) return instead;',
    to: 'if (below && integer < minimum && integer !== 0) return instead;',
  },
  {
    name: 'above the maximum counts the default',
    file: 'src/contract/conversion.ts',
    from: 'if (above && integer > maximum) return maximum;',
    to: 'if (above && integer > maximum) return standard ?? maximum;',
  },
  {
    name: 'the length of names is counted in UTF-16 units',
    file: 'handlers/createVoucher.ts',
    from: '  const voucher = await',
    to: `  if (input.body.name.length > 255)
    throw new (await import('../src/errors/problem.js')).Problem('invalid_request', {
      message: 'name zu lang (höchstens 255 Zeichen)',
    });
  const voucher = await`,
  },
  {
    name: 'of a repeated site_id the first counts',
    file: 'src/contract/parameters.ts',
    from: 'convert(decodeValue(sent)) : convert;',
    to: 'convert(decodeValue(sent)) : (sent) => convert(Array.isArray(sent) ? sent[0] : sent);',
  },
];
