import type { SchemaModel } from '../../document/types.js';
import type { Direction, Note } from '../change.js';

const lower = ['minimum', 'minLength', 'minItems', 'minProperties'];
const upper = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];

/** Bounds: what a request may hold must not shrink, what a response may hold must not grow. */
export const compareBounds = (
  before: SchemaModel,
  after: SchemaModel,
  what: string,
  direction: Direction,
  note: Note,
): void => {
  const tell = (keyword: string, isTighter: boolean): void => {
    const from = written(before[keyword]);
    const to = written(after[keyword]);
    const verb = isTighter ? 'tightened' : 'loosened';
    const isBreaking = isTighter === (direction === 'request');
    note(
      isBreaking ? 'breaking' : 'compatible',
      `${direction}-bound-${verb}`,
      `${what}: ${keyword} ${verb} from ${from} to ${to}`,
    );
  };
  for (const keyword of lower) {
    const [from, to] = [numberOf(before[keyword], -Infinity), numberOf(after[keyword], -Infinity)];
    if (from !== to) tell(keyword, to > from);
  }
  for (const keyword of upper) {
    const [from, to] = [numberOf(before[keyword], Infinity), numberOf(after[keyword], Infinity)];
    if (from !== to) tell(keyword, to < from);
  }
  for (const keyword of ['exclusiveMinimum', 'exclusiveMaximum', 'uniqueItems']) {
    const [from, to] = [before[keyword] === true, after[keyword] === true];
    if (from !== to) tell(keyword, to);
  }
  comparePattern(before.pattern, after.pattern, what, direction, note);
};

/** Nobody can tell which of two patterns is the narrower one. */
const comparePattern = (
  before: string | undefined,
  after: string | undefined,
  what: string,
  direction: Direction,
  note: Note,
): void => {
  if (before === after) return;
  const text = `${what}: pattern changed from ${written(before)} to ${written(after)}`;
  if (direction === 'request') {
    note(after === undefined ? 'compatible' : 'breaking', 'request-pattern-changed', text);
  } else note(before === undefined ? 'compatible' : 'risky', 'response-pattern-changed', text);
};

const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

/** A value as it stands in a sentence. */
export const written = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));
