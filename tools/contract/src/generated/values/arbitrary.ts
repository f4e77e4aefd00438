import fc, { type Arbitrary } from 'fast-check';
import type { InsertionPoint } from '../insertionPoints.js';
import { fitsHeader, fitsQuery, hostileTexts } from './hostile.js';
import { oddValues } from './odd.js';

const surrogates = 0x800;

/** Any code point but half a surrogate pair. As fast-check's own `binary`, which takes a second to list them all. */
const codePoints: Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - surrogates })
  .map((index) => String.fromCodePoint(index < 0xd800 ? index : index + surrogates));

const texts: Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: codePoints }),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) }),
  fc.tuple(fc.string(), fc.constantFrom(...hostileTexts), fc.string()).map((parts) => parts.join('')),
);

const numbers: Arbitrary<string> = fc.oneof(
  fc.integer({ min: -10, max: 1_000 }).map(String),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
);

/**
 * Values of one point, from fitting to hostile: JSON in a body, plain texts elsewhere. The first choice is what a
 * failing request shrinks to: the contract's own example.
 */
export const valueAt = ({ schema, example, in: place }: InsertionPoint): Arbitrary<string> => {
  const isBody = place === 'body';
  const fits = place === 'header' ? fitsHeader : fitsQuery;
  const quoted = (text: string): string => (isBody ? JSON.stringify(text) : text);
  const others = [
    fc.constantFrom(...oddValues(schema, place)),
    ...(schema.type === 'integer' || schema.type === 'number' ? [numbers, numbers.map(quoted)] : []),
    ...(schema.pattern === undefined ? [] : [fc.stringMatching(new RegExp(schema.pattern)).map(quoted)]),
    texts.map(quoted),
    ...(isBody ? [fc.json()] : []),
  ].map((arbitrary) => (isBody ? arbitrary : arbitrary.filter(fits)));
  const first = { weight: others.length + 1, arbitrary: fc.constant(example) };
  return fc.oneof({ withCrossShrink: true }, first, ...others);
};
