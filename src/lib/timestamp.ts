import { Refusal } from '../errors/problem.js';

/** The milliseconds of an RFC 3339 time. A contract's format lets times through that do not exist: the 39th of a month. */
export const parseTimestamp = (text: string): number => {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new Refusal('time-invalid', 'there is no such time', 'invalid');
  return ms;
};
