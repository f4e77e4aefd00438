import { createHash } from 'node:crypto';
import { isObject } from '../contract/document.js';
import { Problem } from '../errors/problem.js';
import type { Clock } from '../lib/system.js';
import type { IdempotencyClaim, IdempotencyKeyTable } from './idempotencyKeyTable.js';
import type { CreatedVoucher } from './record.js';

/**
 * Finds the answer to an earlier request with the same Idempotency-Key; undefined when there was none.
 * Throws when that one asked for something else, or is still in progress.
 */
export const makeFindEarlierAnswer =
  (table: IdempotencyKeyTable, clock: Clock, deadlineMs: number) =>
  async (claim: IdempotencyClaim): Promise<CreatedVoucher | undefined> => {
    const earlier = await table.find(claim, clock.now());
    if (!earlier) return undefined;
    if (!isSameOrder(claim.fingerprint, earlier.fingerprint)) throw new Problem('idempotency_mismatch');
    if (earlier.answer === null) throw inProgressProblem(deadlineMs);
    return JSON.parse(earlier.answer) as CreatedVoucher;
  };

export const inProgressProblem = (deadlineMs: number): Problem =>
  new Problem(
    'idempotency_in_progress',
    {},
    { 'Retry-After': String(Math.max(1, Math.ceil(deadlineMs / 1000))) },
  );

/**
 * Distinguishes a repeated order from another one with the same idempotency key. It has two hashes:
 * of the body as the client sent it, which a change of the contract's defaults does not affect,
 * and of the converted order, because the same order can be written in several ways.
 */
export const fingerprintOrder = (sent: unknown, order: unknown): string =>
  `${sha256(JSON.stringify(sent, withSortedFields))} ${sha256(JSON.stringify(order))}`;

/** One equal hash is enough. */
export const isSameOrder = (fingerprint: string, earlier: string): boolean => {
  const hashes = earlier.split(' ');
  return fingerprint.split(' ').some((hash) => hashes.includes(hash));
};

/** The order of fields has no meaning. */
const withSortedFields = (_name: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
