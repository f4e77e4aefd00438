import { isMessage, toTexts, wordIn, wordMessage, type Message } from '../i18n/messages.js';
import type { Texts } from '../i18n/language.js';
import { publicText } from '../lib/publicText.js';
import type { CertificateFailure, Failure, Quote } from './failure.js';

/** A failure as a message: the same codes for those who ordered and for the operator. */
type FailureMessage = Message<'failure' | 'failureDetail'>;

/** A failure for log and command line. The text calls the controller "it": its name comes before. */
export const describeInEnglish = (failure: Failure): string =>
  wordIn('en', 'failureDetail', toFailureMessage(failure));

/**
 * A failure for the API client whose order failed. Addresses,
 * certificates and names of sites are for the operator only: the log and the command line have them.
 */
export const describeInGerman = ({
  failure,
  controller,
}: {
  readonly failure: Failure;
  readonly controller: string | undefined;
}): string => wordIn('de', 'failure', toFailureMessage(failure, controller));

/** A stored failure as a whole sentence for staff; undefined when only a later version can word it. */
export const describeStoredFailure = (stored: unknown): Texts | undefined => {
  const message = parseFailureMessage(stored);
  if (!message) return undefined;
  const texts = wordMessage('failure', message);
  return toTexts((language) => `${publicText(texts[language])}.`);
};

const parseFailureMessage = (stored: unknown): Message<'failure'> | undefined => {
  try {
    const message: unknown = toFailureMessage(stored as Failure);
    return isMessage('failure', message) ? message : undefined;
  } catch {
    // Of a later version, with other values.
    return undefined;
  }
};

/** Why a certificate is not trusted, as the rest of an English sentence about it. */
export const describeCertificateFailure = (failure: CertificateFailure): string =>
  wordIn('en', 'distrust', toDistrust(failure));

/** What comes from the controller is without secrets. */
export const toFailureMessage = (failure: Failure, controller?: string): FailureMessage => {
  const named: Message<'named'> =
    controller === undefined ? { code: 'none', values: {} } : { code: 'name', values: { name: controller } };
  switch (failure.kind) {
    case 'unreachable':
      return { code: `unreachable-${failure.reason}` as const, values: { named } };
    case 'timeout':
      return failure.seconds === undefined
        ? { code: 'timeout', values: { named } }
        : { code: 'timeout-within', values: { named, seconds: failure.seconds } };
    case 'certificate':
      return toCertificateMessage(failure, named);
    case 'other-certificate':
      return { code: 'other-certificate', values: { named, fingerprint: failure.fingerprint ?? 'none' } };
    case 'credentials':
      return failure.of === 'account'
        ? { code: 'credentials-account', values: { named, seconds: failure.seconds } }
        : { code: `credentials-${failure.of}` as const, values: { named, quote: toQuote(failure) } };
    case 'permission':
      return { code: `permission-${failure.of}` as const, values: { named, quote: toQuote(failure) } };
    case 'site':
      return toSiteMessage(failure, named);
    case 'bounds':
      return toBoundsMessage(failure, named);
    case 'locked-out':
    case 'throttled':
    case 'circuit-open':
      return { code: failure.kind, values: { named, seconds: failure.seconds } };
    case 'disconnected':
    case 'two-factor':
    case 'deadline':
      return { code: failure.kind, values: { named } };
    case 'refused':
      return toRefusedMessage(failure, named);
    case 'unreadable':
      return toUnreadableMessage(failure, named);
    case 'not-read':
      if (failure.cause === undefined) return { code: 'not-read', values: { named } };
      return failure.cause === 'not-listed'
        ? { code: 'not-read-not-listed', values: { named } }
        : { code: 'not-read-cause', values: { named, cause: toFailureMessage(failure.cause, controller) } };
  }
};

const toCertificateMessage = (
  failure: Extract<Failure, { kind: 'certificate' }>,
  named: Message<'named'>,
): FailureMessage => {
  const { fingerprint } = failure;
  const seen: Message<'seen'> =
    fingerprint === undefined
      ? { code: 'none', values: {} }
      : { code: 'fingerprint', values: { fingerprint } };
  const shared = { named, seen, distrust: toDistrust(failure) };
  switch (failure.reason) {
    case 'expired':
      return { code: 'certificate-expired', values: { ...shared, validTo: failure.validTo } };
    case 'not-yet-valid':
      return { code: 'certificate-not-yet-valid', values: { ...shared, validFrom: failure.validFrom } };
    case 'other':
      return { code: 'certificate-other', values: { ...shared, code: failure.code } };
    default:
      return { code: `certificate-${failure.reason}` as const, values: shared };
  }
};

const toDistrust = (failure: CertificateFailure): Message<'distrust'> => {
  switch (failure.reason) {
    case 'expired':
      return { code: 'expired', values: { validTo: failure.validTo } };
    case 'not-yet-valid':
      return { code: 'not-yet-valid', values: { validFrom: failure.validFrom } };
    case 'host-name':
      return { code: 'host-name', values: { host: failure.host, names: publicText(failure.names) } };
    case 'other':
      return { code: 'other', values: { code: failure.code } };
    default:
      return { code: failure.reason, values: {} };
  }
};

const toSiteMessage = (
  failure: Extract<Failure, { kind: 'site' }>,
  named: Message<'named'>,
): FailureMessage => {
  switch (failure.reason) {
    case 'unknown':
      return { code: 'site-unknown', values: { named, quote: toQuote(failure) } };
    case 'not-listed':
      return {
        code: 'site-not-listed',
        values: { named, site: failure.site, known: publicText(failure.known.join(', ')) },
      };
    case 'several':
      return { code: 'site-several', values: { named, known: publicText(failure.known.join(', ')) } };
  }
};

const toRefusedMessage = (
  failure: Extract<Failure, { kind: 'refused' }>,
  named: Message<'named'>,
): FailureMessage => {
  switch (failure.reason) {
    case 'too-old':
      return {
        code: 'refused-too-old',
        values: { named, version: publicText(failure.version), needed: failure.needed },
      };
    case 'no-vouchers':
      return { code: 'refused-no-vouchers', values: { named, needed: failure.needed } };
    case 'csrf':
      return { code: 'refused-csrf', values: { named } };
    default:
      return { code: `refused-${failure.reason}` as const, values: { named, quote: toQuote(failure) } };
  }
};

const toBoundsMessage = (
  failure: Extract<Failure, { kind: 'bounds' }>,
  named: Message<'named'>,
): FailureMessage => {
  switch (failure.reason) {
    case 'value': {
      const { field, value, from, to } = failure;
      return { code: 'bounds-value', values: { named, field, value, from, to } };
    }
    case 'not-kept':
      return { code: 'bounds-not-kept', values: { named, field: failure.field } };
    case 'count':
      return { code: 'bounds-count', values: { named, from: failure.from, to: failure.to } };
    case 'unnamed':
      return { code: 'bounds-unnamed', values: { named, quote: toQuote(failure) } };
  }
};

const toUnreadableMessage = (
  failure: Extract<Failure, { kind: 'unreadable' }>,
  named: Message<'named'>,
): FailureMessage => {
  const { reason, needed = '' } = failure;
  const quote = toQuote(failure);
  return reason === 'no-integration-api'
    ? { code: 'unreadable-no-integration-api', values: { named, quote, needed } }
    : { code: `unreadable-${reason}` as const, values: { named, quote } };
};

const toQuote = ({ said, status }: Quote): Message<'quote'> => {
  if (said === undefined)
    return status === undefined ? { code: 'none', values: {} } : { code: 'status', values: { status } };
  return status === undefined
    ? { code: 'said', values: { said: publicText(said) } }
    : { code: 'said-status', values: { said: publicText(said), status } };
};
