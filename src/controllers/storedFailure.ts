import { publicText } from '../lib/publicText.js';
import type { Failure, Quote } from './failure.js';

/**
 * A failure in the database, with what staff may know of it: as in the API, addresses,
 * certificates and names of the controller's sites are not for them.
 * A later version may have stored kinds that this one does not know.
 */
export type StoredFailure = Failure;

/** What is stored of a failure. */
export const toStoredFailure = (failure: Failure): StoredFailure => {
  switch (failure.kind) {
    case 'timeout':
      // Who waits for an order knows for how long; it is the same reason after any time.
      return { kind: 'timeout' };
    case 'certificate':
      return failure.reason === 'host-name'
        ? { ...failure, fingerprint: undefined, host: '', names: '' }
        : { ...failure, fingerprint: undefined };
    case 'other-certificate':
      return { ...failure, fingerprint: undefined };
    case 'site':
      if (failure.reason === 'unknown') return withPublicQuote(failure);
      return failure.reason === 'several' ? { ...failure, known: [] } : { ...failure, site: '', known: [] };
    case 'not-read': {
      const { cause } = failure;
      return { ...failure, cause: typeof cause === 'object' ? toStoredFailure(cause) : cause };
    }
    default:
      return 'said' in failure ? withPublicQuote(failure) : failure;
  }
};

const withPublicQuote = <T extends Quote>(failure: T): T =>
  failure.said === undefined ? failure : { ...failure, said: publicText(failure.said) };
