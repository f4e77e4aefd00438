import type { ContractRunOptions } from '../options.js';

type Keys = Pick<ContractRunOptions, 'key' | 'readKey' | 'limitedKey'>;

/** Takes keys out of a text that people will read. */
export type Redact = (text: string) => string;

/** What a key of the service looks like. */
const anyKey = /\buvt_[0-9a-f]{8,}/gi;

/** Knows the keys that the run was given; those of its own service are known by their look. */
export const makeRedact = ({ key, readKey, limitedKey }: Keys): Redact => {
  const known = [key?.(), readKey?.(), limitedKey?.()].filter((secret) => secret !== undefined);
  return (text) =>
    known.reduce((cleaned, secret) => cleaned.replaceAll(secret, '$KEY'), text).replace(anyKey, '$KEY');
};
