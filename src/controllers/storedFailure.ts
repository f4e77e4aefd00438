import { publicText } from '../lib/publicText.js';
import type { Failure, FailureKind, Quote } from './failure.js';

/** A failure in the database. Processes of earlier versions on the same database read its kind as `trouble`. */
export interface StoredFailure {
  readonly trouble: FailureKind;
  readonly [value: string]: unknown;
}

/** What is stored of a failure: what staff may know of it. */
export const toStoredFailure = (failure: Failure): StoredFailure => toStored(toStaffFailure(failure));

const toStored = ({ kind: trouble, ...values }: Failure): StoredFailure =>
  'cause' in values && typeof values.cause === 'object'
    ? { trouble, ...values, cause: toStored(values.cause) }
    : { trouble, ...values };

/** A stored failure in the form of this version; its values are not checked. */
export const fromStoredFailure = (stored: unknown): unknown => {
  if (!isStored(stored)) return stored;
  const { trouble: kind, cause, ...values } = stored;
  return { kind, ...values, ...('cause' in stored && { cause: fromStoredFailure(cause) }) };
};

const isStored = (value: unknown): value is StoredFailure =>
  typeof value === 'object' && value !== null && 'trouble' in value;

/** As in the API, addresses, certificates and names of the controller's sites are not for staff. */
const toStaffFailure = (failure: Failure): Failure => {
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
      return { ...failure, cause: typeof cause === 'object' ? toStaffFailure(cause) : cause };
    }
    default:
      return 'said' in failure ? withPublicQuote(failure) : failure;
  }
};

const withPublicQuote = <T extends Quote>(failure: T): T =>
  failure.said === undefined ? failure : { ...failure, said: publicText(failure.said) };
