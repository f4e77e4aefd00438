import type { Response } from './document.js';

type Responses = Readonly<Record<string, Response>>;

const exactStatus = /^[1-5]\d\d$/;

/** `404`, all of `4XX`, or `default` for what nothing else documents. */
export const isStatusKey = (key: string): boolean =>
  exactStatus.test(key) || /^[1-5]XX$/.test(key) || key === 'default';

export const isExactStatus = (key: string): boolean => exactStatus.test(key);

/** The entry that documents a status: the one with its number, or else its range's, or else `default`. */
export const responseKey = (
  responses: Readonly<Record<string, unknown>>,
  status: number,
): string | undefined => {
  const exact = String(status);
  return [exact, `${exact[0] ?? ''}XX`, 'default'].find((key) => Object.hasOwn(responses, key));
};

/** Does HTTP forbid a body with this status? */
export const isBodiless = (status: number): boolean => status < 200 || [204, 205, 304].includes(status);

/** What the contract documents for a status. */
export const responseFor = (responses: Responses, status: number): Response | undefined => {
  const key = responseKey(responses, status);
  return key === undefined ? undefined : responses[key];
};

/**
 * A status that an entry documents: the lowest of a range that has no entry of its own;
 * for `default` an error, or 200 where no success is documented. `undefined` if others document everything.
 */
export const statusFor = (responses: Readonly<Record<string, unknown>>, key: string): number | undefined => {
  if (isExactStatus(key)) return Number(key);
  const hundreds = key === 'default' ? defaultHundreds(responses) : [Number(key[0]) * 100];
  return hundreds
    .flatMap((first) => Array.from({ length: 100 }, (_, index) => first + index))
    .find((status) => responseKey(responses, status) === key);
};

/** A status for each entry, the lowest first. */
export const statusesOf = (responses: Readonly<Record<string, unknown>>): number[] =>
  Object.keys(responses)
    .flatMap((key) => statusFor(responses, key) ?? [])
    .sort((one, other) => one - other);

const defaultHundreds = (responses: Readonly<Record<string, unknown>>): number[] =>
  Object.keys(responses).some((key) => /^[23]/.test(key)) ? [500, 400, 200, 300] : [200, 500, 400, 300];
