import { mediaTypeOf, type OperationObject } from './document.js';

/** One of the ranges that a client accepts. */
interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

/** The media types of the successes of an operation, in the contract's order. */
export const successTypes = ({ responses }: Pick<OperationObject, 'responses'>): string[] => [
  ...new Set(
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      status.startsWith('2') ? Object.keys(content) : [],
    ),
  ),
];

/**
 * The media type that a client likes best, by RFC 9110: of a type the most specific range decides,
 * and of types that are liked as much the one that is named more specifically, or else earlier. `undefined`
 * when it accepts none of them. A header without a valid range says nothing, so the first one is meant.
 */
export const negotiate = (
  accept: string | readonly string[] | undefined,
  offered: readonly string[],
): string | undefined => {
  const ranges = parseAccept(String(accept ?? ''));
  if (ranges.length === 0) return offered[0];
  let best: { readonly type: string; readonly rank: readonly number[] } | undefined;
  for (const type of offered) {
    const rank = rankOf(type, ranges);
    if (rank && (!best || isHigher(rank, best.rank))) best = { type, rank };
  }
  return best?.type;
};

/** Parameters other than the quality do not count: documented types have none. */
const parseAccept = (accept: string): MediaRange[] =>
  accept.split(',').flatMap((range) => {
    const type = mediaTypeOf(range) ?? '';
    const [, written = '1'] = /;\s*q\s*=\s*([^;\s]*)/i.exec(range) ?? [];
    const isValid = /^(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))$/.test(type);
    return isValid && /^(?:0?\.\d+|[01](?:\.\d*)?)$/.test(written)
      ? [{ type, quality: Math.min(Number(written), 1) }]
      : [];
  });

/** What is better comes first: quality, how specific the range is, and how early it stands. */
const rankOf = (type: string, ranges: readonly MediaRange[]): readonly number[] | undefined => {
  const names = [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*'];
  for (const [index, name] of names.entries()) {
    const at = ranges.findIndex((range) => range.type === name);
    const { quality = 0 } = ranges[at] ?? {};
    if (at >= 0) return quality > 0 ? [quality, -index, -at] : undefined;
  }
  return undefined;
};

const isHigher = (one: readonly number[], other: readonly number[]): boolean => {
  const differs = one.findIndex((value, index) => value !== other[index]);
  return differs >= 0 && (one[differs] ?? 0) > (other[differs] ?? 0);
};
