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
} as const;
