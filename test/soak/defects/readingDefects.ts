import type { ServiceDefect } from './serviceDefect.js';

/** In how values are read, and in how the contract is described. */
export const readingDefects: readonly ServiceDefect[] = [
  {
    name: 'a plus sign is not read',
    file: 'src/contract/conversion.ts',
    from: '([+-]?(?:',
    to: '(-?(?:',
  },
  {
    name: 'a no-break space in front of a number is white space',
    file: 'src/contract/conversion.ts',
    from: '/^[ \\t\\n\\r\\v\\f]*(',
    to: '/^\\s*(',
  },
  {
    name: 'a list of one number is that number',
    file: 'src/contract/conversion.ts',
    from: 'Number(value === true)',
    to: 'Number(value)',
  },
  {
    name: 'unpaired surrogates stay in names',
    file: 'src/contract/conversion.ts',
    from: 'trimBlanks(removeNul(toText(value))).toWellFormed()',
    to: 'trimBlanks(removeNul(toText(value)))',
  },
  {
    name: 'long numbers as names lose digits',
    file: 'src/contract/conversion.ts',
    from: `type === 'string' && isLenient === true`,
    to: `type === 'string' && isLenient === undefined`,
  },
  {
    name: 'the description is indented by two blanks',
    file: 'src/contract/description.ts',
    from: 'null, 4)',
    to: 'null, 2)',
  },
  {
    name: 'the description escapes letters beyond ASCII',
    file: 'src/contract/description.ts',
    from: 'servers: [{ url }] }, null, 4);',
    to: `servers: [{ url }] }, null, 4).replaceAll(
        /[^ -~\\n]/g,
        (letter) => \`\\\\u\${letter.charCodeAt(0).toString(16).padStart(4, '0')}\`,
      );`,
  },
  {
    name: 'the description does not say its charset',
    file: 'src/http/servedDescription.ts',
    from: 'path === jsonPath ? jsonContentType :',
    to: `path === jsonPath ? jsonContentType.replace(/;.*/, '') :`,
  },
];
