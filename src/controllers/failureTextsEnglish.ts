import {
  describeFailure,
  type CertificateFailure,
  type ConnectFailure,
  type Failure,
  type Quote,
  type UnreadableReason,
  type FailureTexts,
} from './failure.js';

/** A failure for log and command line. The text says "it": the controller's name comes before. */
export const describeInEnglish = (failure: Failure): string =>
  describeFailure(englishTexts, failure, undefined);

const quote = ({ said, status }: Quote): string => {
  const parts = [
    ...(said === undefined ? [] : [`"${said}"`]),
    ...(status === undefined ? [] : [`status ${status}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
};

const connectTexts: Readonly<Record<ConnectFailure, string>> = {
  refused: 'the connection was refused',
  reset: 'the connection was reset',
  'unknown-host': 'its name is unknown',
  'name-service': 'the name service does not answer',
  'no-route': 'there is no route to it',
  timeout: 'the connection was not made in time',
  tls: 'the TLS handshake failed',
  closed: 'the connection to it is closed',
  other: 'the connection could not be made',
};

/** Why a certificate is not trusted, as the rest of a sentence about it. */
export const describeCertificateFailure = (failure: CertificateFailure): string => {
  switch (failure.reason) {
    case 'self-signed':
      return 'is self-signed';
    case 'unknown-ca':
      return 'is signed by an unknown CA';
    case 'expired':
      return `has expired: it was valid until ${failure.validTo}`;
    case 'not-yet-valid':
      return `is not valid yet: it is from ${failure.validFrom} on`;
    case 'host-name':
      return `is not for ${failure.host}, but for ${failure.names}`;
    case 'other':
      return `can not be verified: ${failure.code}`;
  }
};

const unreadableTexts: Readonly<Record<UnreadableReason, (needed: string) => string>> = {
  answer: () => 'it is none that a controller of this kind gives',
  'too-large': () => 'it is too large',
  redirect: () => 'it sends elsewhere',
  faulty: () => 'it is out of order',
  starting: () => 'it is starting, or out of order',
  login: () => 'it is starting, or out of order, and does not answer the sign-in',
  'no-session': () => 'the sign-in brought no session',
  'no-unifi': () => 'there is no UniFi at this address',
  'no-unifi-network': () => 'there is no UniFi Network at this address',
  'no-integration-api': (needed) =>
    `there is no Integration API at this address; it needs UniFi Network ${needed}`,
  'no-version': () => 'it does not say its version',
  list: () => 'its list of vouchers is no JSON that is known',
  'list-changing': () => 'its list changes too fast',
  'list-incomplete': () => 'its list is incomplete',
  voucher: () => 'a voucher of its list has no id',
  'no-code': () => 'it made a voucher without a code',
};

const englishTexts: FailureTexts<undefined> = {
  unreachable: ({ reason }) => `it can not be reached: ${connectTexts[reason]}`,
  timeout: ({ seconds }) => `it did not answer ${seconds === undefined ? 'in time' : `within ${seconds} s`}`,
  disconnected: () => 'it ended the connection before it had answered',
  certificate: (failure) => {
    const { fingerprint } = failure;
    const seen = fingerprint === undefined ? '' : `; its SHA-256 fingerprint is ${fingerprint}`;
    return `its certificate ${describeCertificateFailure(failure)}${seen}`;
  },
  'other-certificate': ({ fingerprint }) =>
    `it shows another certificate than the pinned one: ${fingerprint ?? 'none'}`,
  credentials: (failure) =>
    failure.of === 'api-key'
      ? `it refuses the API key${quote(failure)}`
      : `it refuses the user or the password; not tried again for ${failure.seconds} s`,
  'two-factor': () => 'the account wants a second factor, which a service does not have',
  'locked-out': ({ seconds }) =>
    `it lets nobody sign in for a while, because there were too many attempts; not tried again for ${seconds} s`,
  permission: (failure) =>
    failure.of === 'api-key'
      ? `the API key may not do this${quote(failure)}`
      : `the account may not do this${quote(failure)}`,
  site: (failure) => {
    switch (failure.reason) {
      case 'unknown':
        return `it has no such site${quote(failure)}`;
      case 'not-listed':
        return `it has no site "${failure.site}", but: ${failure.known.join(', ')}`;
      case 'several':
        return `it has several sites, and none is chosen: ${failure.known.join(', ')}`;
    }
  },
  bounds: (failure) => {
    switch (failure.reason) {
      case 'value': {
        const { field, value, from, to } = failure;
        return `a value is outside of what it takes: ${field} is ${value}, and may be ${from} to ${to}`;
      }
      case 'count':
        return `a value is outside of what it takes: it makes ${failure.from} to ${failure.to} vouchers at once`;
      case 'unnamed':
        return `a value is outside of what it takes${quote(failure)}`;
    }
  },
  throttled: ({ seconds }) => `it was asked too often, and wants ${seconds} s of silence`,
  'circuit-open': ({ seconds }) =>
    `it failed several times in a row and is left alone; it is asked again in ${seconds} s`,
  deadline: () => 'there was no time left to ask it',
  refused: (failure) => {
    switch (failure.reason) {
      case 'request':
      case 'order':
        return `it said no${quote(failure)}`;
      case 'login':
        return `it said no to the sign-in${quote(failure)}`;
      case 'session':
        return `it said no: right after the sign-in it wants another one${quote(failure)}`;
      case 'csrf':
        return 'it said no: it takes no changes from this sign-in (CSRF)';
      case 'too-old':
        return `it is too old: UniFi Network ${failure.version}, and ${failure.needed} is needed`;
      case 'no-vouchers':
        return `it knows no vouchers at this site, for which UniFi Network ${failure.needed} is needed`;
    }
  },
  unreadable: (failure) =>
    `its answer can not be read: ${unreadableTexts[failure.reason](failure.needed ?? '')}${quote(failure)}`,
  'not-read': ({ cause }) => {
    const why =
      cause === undefined
        ? 'an error'
        : cause === 'not-listed'
          ? 'it is not listed yet'
          : describeInEnglish(cause);
    return `it made a voucher, which could not be read: ${why}`;
  },
};
