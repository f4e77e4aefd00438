import { createHash } from 'node:crypto';
import { isObject } from '../contract/schema.js';

/**
 * Tells a repetition of an order from another one under the same idempotency key. It names the body twice: as the client
 * sent it, which no change of the contract's defaults touches, and as the order that the contract made of it, because the
 * same order may be written in several ways. Of what was stored before there was the first, there is only the second.
 */
export const fingerprintOf = (sent: unknown, order: unknown): string =>
  `${sha256(JSON.stringify(sent, withSortedFields))} ${sha256(JSON.stringify(order))}`;

/** The same when either name is the same. */
export const isRepetition = (fingerprint: string, earlier: string): boolean => {
  const names = earlier.split(' ');
  return fingerprint.split(' ').some((name) => names.includes(name));
};

/** Neither a client nor the contract means anything by the order of fields. */
const withSortedFields = (_name: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
