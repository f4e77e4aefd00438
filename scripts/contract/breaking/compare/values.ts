import { isDeepStrictEqual } from 'node:util';
import type { SchemaModel } from '../../document/types.js';
import type { Direction, Note } from '../change.js';
import { written } from './bounds.js';

/** Type and format. A request may go from integer to number, a response the other way. */
export const compareType = (
  before: SchemaModel,
  after: SchemaModel,
  what: string,
  direction: Direction,
  note: Note,
): void => {
  if (before.type !== after.type) {
    const [narrow, wide] = direction === 'request' ? [before, after] : [after, before];
    const isWider = (narrow.type === 'integer' && wide.type === 'number') || wide.type === undefined;
    note(
      isWider ? 'compatible' : 'breaking',
      `${direction}-type-changed`,
      `${what}: type changed from ${written(before.type)} to ${written(after.type)}`,
    );
  }
  if (before.format !== after.format) {
    const [narrow, wide] = direction === 'request' ? [before, after] : [after, before];
    const isWider = narrow.format !== undefined && wide.format === undefined;
    note(
      isWider ? 'compatible' : 'breaking',
      `${direction}-format-changed`,
      `${what}: format changed from ${written(before.format)} to ${written(after.format)}`,
    );
  }
  const [wasNullable, isNullable] = [before.nullable === true, after.nullable === true];
  if (wasNullable !== isNullable) {
    const isBreaking = isNullable === (direction === 'response');
    note(
      isBreaking ? 'breaking' : 'compatible',
      `${direction}-nullable-changed`,
      `${what}: ${isNullable ? 'may now be null' : 'may no longer be null'}`,
    );
  }
};

/** An enum that is not there allows every value. */
export const compareEnum = (
  before: SchemaModel,
  after: SchemaModel,
  what: string,
  direction: Direction,
  note: Note,
): void => {
  const [from, to] = [before.enum, after.enum];
  const widened = direction === 'response' ? 'breaking' : 'compatible';
  const narrowed = direction === 'response' ? 'compatible' : 'breaking';
  if (from && !to) {
    note(
      widened,
      `${direction}-enum-removed`,
      `${what}: is no longer one of ${from.map(written).join(', ')}`,
    );
  }
  if (!from && to) {
    note(narrowed, `${direction}-enum-added`, `${what}: must now be one of ${to.map(written).join(', ')}`);
  }
  if (!from || !to) return;
  const has = (list: readonly unknown[], value: unknown): boolean =>
    list.some((one) => isDeepStrictEqual(one, value));
  for (const value of to.filter((one) => !has(from, one))) {
    note(widened, `${direction}-enum-value-added`, `${what}: the value ${written(value)} was added`);
  }
  for (const value of from.filter((one) => !has(to, one))) {
    note(narrowed, `${direction}-enum-value-removed`, `${what}: the value ${written(value)} was removed`);
  }
};

/** What the service takes for a value that a client leaves out. A response has no such thing. */
export const compareDefault = (before: SchemaModel, after: SchemaModel, what: string, note: Note): void => {
  if (isDeepStrictEqual(before.default, after.default)) return;
  note(
    before.default === undefined ? 'compatible' : 'breaking',
    'request-default-changed',
    `${what}: default changed from ${written(before.default)} to ${written(after.default)}`,
  );
};
