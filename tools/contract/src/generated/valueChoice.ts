import { isLarge, type ContractModel } from '../contract.js';
import type { InsertionPoint } from './insertionPoints.js';

/** Chooses the values, or whole bodies, that are tried at a point; undefined leaves the point out. */
export type ChooseValues = <T extends string | undefined>(point: InsertionPoint, values: readonly T[]) => T[];

export const everyValue: ChooseValues = (_point, values) => [...values];

/** How many each point of a large contract gets of those that others have had. */
const fewRepeated = 1;

/**
 * In a large contract a value is tried once at the points that are read by the same rules. Each point is left out, and gets
 * some of what others have had, never the same ones as its neighbour.
 */
export const makeValueChoice = (contract: Pick<ContractModel, 'operations'>): ChooseValues => {
  if (!isLarge(contract)) return everyValue;
  const tried = new Map<string, Set<string | undefined>>();
  let turn = 0;
  return (point, values) => {
    const rules = rulesOf(point);
    const before = tried.get(rules) ?? new Set();
    tried.set(rules, before);
    turn += 1;
    const known = values.filter((value) => value !== undefined && before.has(value));
    const repeated = Array.from(
      { length: fewRepeated },
      (_, index) => known[(turn * fewRepeated + index) % known.length],
    );
    const chosen = values.filter(
      (value) => value === undefined || !before.has(value) || repeated.includes(value),
    );
    for (const value of values) before.add(value);
    return chosen;
  };
};

/** Where it stands, its type, and the rules that the contract adds; bounds make values of their own. */
const rulesOf = ({ name, in: place, schema }: InsertionPoint): string =>
  JSON.stringify([
    name === 'body' ? name : place,
    schema.type,
    schema['format'],
    Object.keys(schema)
      .filter((key) => key.startsWith('x-'))
      .sort(),
  ]);
