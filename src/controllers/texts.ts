import type { Texts } from '../i18n/language.js';
import { wordMessage, type Message } from '../i18n/messages.js';
import { publicText } from '../lib/publicText.js';
import { SecretError } from '../secrets/encryption.js';
import { ControllerError, OutcomeUnknown, SettingsError, type SettingName } from './errors.js';
import type { Failure, FailureKind, FailureValues, Quote } from './failure.js';
import { describeForOperator } from './failureMessages.js';

/** What went wrong with a controller, for people who look at it in the web UI. Its name stands beside it there. */
export const describeForPeople = (error: unknown): Texts => {
  if (error instanceof ControllerError || error instanceof OutcomeUnknown)
    return describeForOperator(error.failure);
  return wordMessage('controllerProblem', { code: problemCodeOf(error), values: {} });
};

const problemCodeOf = (error: unknown): Message<'controllerProblem'>['code'] => {
  if (error instanceof SecretError) return 'credentials-sealed';
  if (error instanceof SettingsError) return settingCodes[error.code] ?? 'settings';
  return 'unexpected';
};

const settingCodes: Readonly<Partial<Record<SettingName, Message<'controllerProblem'>['code']>>> = {
  url: 'url',
  fingerprint: 'fingerprint',
  'ca-file': 'ca-file',
  'api-key': 'credentials',
  username: 'credentials',
  password: 'credentials',
  credentials: 'credentials',
  address: 'address',
  trust: 'trust',
};

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

/** What to do about it in the web UI. */
export const remedyForPeople = (error: unknown): Texts | undefined => {
  if (error instanceof ControllerError || error instanceof OutcomeUnknown)
    return wordMessage('remedy', toRemedy(error.failure));
  if (error instanceof SecretError) return wordMessage('remedy', { code: 'credentials', values: {} });
  return undefined;
};

const toRemedy = (failure: Failure): Message<'remedy'> => {
  switch (failure.kind) {
    case 'unreachable':
      return failure.reason === 'unknown-host' || failure.reason === 'name-service'
        ? { code: 'name', values: {} }
        : { code: 'connection', values: {} };
    case 'certificate':
      return toCertificateRemedy(failure.reason);
    case 'refused':
      return failure.reason === 'too-old' || failure.reason === 'no-vouchers'
        ? { code: 'update', values: {} }
        : { code: 'refused', values: {} };
    default:
      return { code: failure.kind, values: {} };
  }
};

const toCertificateRemedy = (reason: FailureValues['certificate']['reason']): Message<'remedy'> =>
  reason === 'self-signed' || reason === 'other'
    ? { code: 'pin', values: {} }
    : { code: reason, values: { remedy: 'pin' } };
