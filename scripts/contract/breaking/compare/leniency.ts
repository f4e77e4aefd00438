import type { SchemaModel } from '../../document/types.js';
import type { Note } from '../change.js';
import { written } from './bounds.js';

/** What accepts values that the schema alone would refuse; without it clients that send them fail. */
const accepting = [
  'x-lenient',
  'x-leading-number',
  'x-trim',
  'x-below-minimum',
  'x-above-maximum',
  'x-otherwise',
];

/** Our own keys of request fields. No tool knows them, and clients rely on them. */
export const compareLeniency = (before: SchemaModel, after: SchemaModel, what: string, note: Note): void => {
  for (const key of accepting) {
    const [from, to] = [before[key], after[key]].map((value) => (value === false ? undefined : value));
    if (from === to) continue;
    const severity = from === undefined ? 'compatible' : to === undefined ? 'breaking' : 'risky';
    note(
      severity,
      'request-leniency-changed',
      `${what}: ${key} changed from ${written(from)} to ${written(to)}`,
    );
  }
};
