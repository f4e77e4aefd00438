import { Refusal } from '../errors/problem.js';

/** RFC 3339 has four digits for the year, so an answer in UTC could not name a later time. */
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The milliseconds of an RFC 3339 time. A contract's format lets times through that do not exist: the 39th of
 * a month.
 */
export const parseTimestamp = (text: string): number => {
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || ms > lastMs) throw new Refusal('time-invalid', 'there is no such time', 'invalid');
  return ms;
};
