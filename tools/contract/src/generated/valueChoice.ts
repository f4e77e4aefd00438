import { isLarge, type ContractModel } from '../contract.js';
import type { InsertionPoint } from './insertionPoints.js';

/** Something to try at a point. */
export interface Candidate<T> {
  readonly value: T;
  /** What is of the same kind shows the same at every point; undefined is tried at each. */
  readonly kind: string | undefined;
}

/** Chooses what is tried at a point. */
export type ChooseValues = <T>(point: InsertionPoint, candidates: readonly Candidate<T>[]) => T[];

export const everyValue: ChooseValues = (_point, candidates) => candidates.map(({ value }) => value);

/**
 * In a large contract a value is tried once at the points that are read by the same rules. Each point is left out, and gets
 * one of what others have had, never the same one as its neighbour; where its schema stood before, it is one of both.
 */
export const makeValueChoice = (contract: Pick<ContractModel, 'operations'>): ChooseValues => {
  if (!isLarge(contract)) return everyValue;
  const tried = new Map<string, Set<string>>();
  let turn = 0;
  return (point, candidates) => {
    const rules = rulesOf(point);
    const before = tried.get(rules) ?? new Set();
    tried.set(rules, before);
    turn += 1;
    const isKnown = ({ kind }: Candidate<unknown>): boolean =>
      kind === undefined ? point.isRepeated === true : before.has(kind);
    const known = candidates.filter(isKnown);
    const repeated = known[turn % known.length];
    const chosen = candidates.filter((one) => !isKnown(one) || one === repeated);
    for (const { kind } of candidates) if (kind !== undefined) before.add(kind);
    return chosen.map(({ value }) => value);
  };
};

/** They say nothing of how a value is read. */
const textsAlone = ['x-message', 'x-sorted-by'];

/** Where it stands, its type, and the rules that the contract adds; bounds make values of their own. */
const rulesOf = ({ name, in: place, schema }: InsertionPoint): string =>
  JSON.stringify([
    name === 'body' ? name : place,
    schema.type,
    schema['format'],
    Object.keys(schema)
      .filter((key) => key.startsWith('x-') && !textsAlone.includes(key))
      .sort(),
  ]);
