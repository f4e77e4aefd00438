/** The last moment that RFC 3339 can say; beyond some 270,000 years later a `Date` is none. */
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** A time from elsewhere, in milliseconds, as one that can be stored and said: whole, from 1970 to the year 9999. */
export const boundedTime = (ms: number): number => Math.trunc(Math.min(Math.max(ms, 0), latest));
