/** What the service says to people in English, by kind. Braces hold values. `de.ts` has the same in German. */
export const en = {
  /** Addresses that are not public. */
  addressKind: {
    unspecified: 'an unspecified address',
    loopback: 'a loopback address',
    private: 'a private address',
    'link-local': 'a link-local address',
    provider: "an address inside a provider's network",
    cloud: "an address inside a cloud's network",
    documentation: 'an address for documentation',
    benchmark: 'an address for benchmarks',
    multicast: 'a multicast address',
    reserved: 'a reserved address',
    'ipv4-in-ipv6': 'an IPv4 address inside IPv6',
    'this-machine': 'this machine',
    none: 'no address',
  },
  /** Why a delivery attempt failed, or an address of a webhook is refused. */
  attempt: {
    redirected: 'answered {status}, a redirect',
    answered: 'answered {status}',
    'answered-code': 'answered {status} ({code})',
    throttled: 'throttled (429)',
    refused: 'connection refused',
    reset: 'connection reset',
    'unknown-host': 'name not found',
    'name-service': 'name server without an answer',
    unreachable: 'host not reachable',
    'no-connection': 'no connection',
    'no-http': 'the answer is not HTTP',
    tls: 'TLS failed: {code}',
    certificate: 'certificate not trusted: {code}',
    timeout: 'no answer within {seconds} s',
    other: 'request failed',
    'address-internal': '{host} is {addressKind}; list it in WEBHOOK_ALLOW_PRIVATE to allow it',
    'name-internal':
      '{host} resolves to {address}, {addressKind}; list it in WEBHOOK_ALLOW_PRIVATE to allow it',
    'address-malformed': 'not an address of the form https://host/path',
    'address-protocol': 'only https:// and http:// are allowed',
    'address-credentials': 'a user name or password in the address is not allowed',
    text: '{text}',
  },
  /** Why an e-mail was not sent. */
  email: {
    credentials: 'the mail server refuses the credentials',
    answered: 'the mail server answered: {answer}',
    'no-answer': 'the mail server does not answer',
    'unknown-host': 'the name of the mail server can not be resolved',
    'no-connection': 'no connection to the mail server ({code})',
    disconnected: 'the mail server has ended the connection',
    tls: 'no encrypted connection to the mail server ({code})',
    'not-confirmed': 'the mail server has not confirmed the e-mail: it may have been sent',
    stopping: 'the service stops',
    'voucher-missing': 'there is no such voucher',
    'voucher-ended': 'the voucher is no longer valid',
    other: 'the mail server could not be used ({code})',
    unexpected: 'an unexpected error occurred',
    text: '{text}',
  },
  /** Why an order of the web UI failed, or is not complete. */
  order: {
    'not-shown':
      'The controller has shown {shown} of {count} vouchers. It is being checked which of them exist; that takes about a minute.',
    'only-some': 'The controller has made only {made} of {count} vouchers.',
    none: 'The controller did not answer in time and has made nothing.',
    'not-usable': 'The controller has made vouchers without a code. They were revoked.',
    'controller-removed': 'The controller was removed before it could be checked what it has made.',
    'too-late': 'The order could not be stored in time. Nothing was made.',
    'taken-by-others':
      'The vouchers were recorded for another order. It is being checked which others exist.',
    'settings-unusable': 'The settings of the controller can not be used.',
    unexpected: 'An unexpected error occurred.',
  },
  /** Why a voucher was not revoked. */
  revocation: {
    'controller-removed': 'The controller was removed and can not be asked any more.',
    'too-late': 'There was no time left for it. Please try again.',
  },
} as const;
