import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIPv4, isIPv6, type LookupFunction } from 'node:net';
import { isInBlockList, makeBlockList } from '../lib/addresses.js';
import { wordMessage, type Message } from '../i18n/messages.js';
import { CodedError } from '../errors/codedError.js';

/** Keeps webhooks from reaching services that are internal to this machine or its network. */
export interface SsrfGuard {
  /** Parses an address. Throws `AddressRefused` if its text alone shows that it is not allowed. */
  check(address: string): URL;
  /** Resolves a name for a connection. Fails with `AddressRefused` if any of its addresses is not allowed. */
  readonly lookup: LookupFunction;
}

/** An address that a webhook may not use. The message names only hosts: the rest of an address is secret. */
export class AddressRefused extends CodedError<AddressRefusal['code']> {
  override readonly name = 'AddressRefused';

  constructor(readonly reason: AddressRefusal) {
    super(reason.code, wordMessage('attempt', reason).en, { kind: 'invalid' });
  }
}

/** The codes that say why an address is refused; `-internal`: it is an address, but one inside a network. */
type AddressRefusal = Message<
  'attempt',
  'address-internal' | 'name-internal' | 'address-malformed' | 'address-protocol' | 'address-credentials'
>;

type AddressKind = Message<'attempt', 'address-internal'>['values']['addressKind'];

/** Resolves a name, as `dns.lookup` does. */
export type ResolveHost = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

type AddressKinds = readonly (readonly [kind: AddressKind, networks: readonly string[]])[];

/** After IANA's registry of special-purpose addresses. */
const kindsOfIPv4: AddressKinds = [
  ['unspecified', ['0.0.0.0/8']],
  ['loopback', ['127.0.0.0/8']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']],
  ['link-local', ['169.254.0.0/16']],
  ['provider', ['100.64.0.0/10']],
  // A public address, but inside Azure it is the platform's own service for each machine.
  ['cloud', ['168.63.129.16']],
  ['documentation', ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24']],
  ['benchmark', ['198.18.0.0/15']],
  ['multicast', ['224.0.0.0/4']],
  ['reserved', ['192.0.0.0/24', '192.88.99.0/24', '240.0.0.0/4']],
];

/** The first match counts, so the last line may cover everything that is not global unicast. */
const kindsOfIPv6: AddressKinds = [
  ['unspecified', ['::']],
  ['loopback', ['::1']],
  // Each of these contains an IPv4 address, which may be any.
  ['ipv4-in-ipv6', ['::ffff:0:0/96', '::/96', '64:ff9b::/96', '64:ff9b:1::/48']],
  ['ipv4-in-ipv6', ['2002::/16', '2001::/32']],
  ['private', ['fc00::/7', 'fec0::/10']],
  ['link-local', ['fe80::/10']],
  ['multicast', ['ff00::/8']],
  ['documentation', ['2001:db8::/32', '3fff::/20']],
  ['benchmark', ['2001:2::/48']],
  ['reserved', ['2001::/23', '::/3', '4000::/2', '8000::/1']],
];

/** One per address family: a `BlockList` also finds every IPv4 address in `::ffff:0:0/96`. */
const makeKindOf = (kinds: AddressKinds): ((address: string) => AddressKind | undefined) => {
  const lists = kinds.map(([kind, networks]) => ({ kind, list: makeBlockList(networks) }));
  return (address) => lists.find(({ list }) => isInBlockList(list, address))?.kind;
};

const kindOfIPv4 = makeKindOf(kindsOfIPv4);
const kindOfIPv6 = makeKindOf(kindsOfIPv6);

/** The kind of a non-public address; undefined for a public one. */
const kindOf = (address: string): AddressKind | undefined => {
  if (isIPv4(address)) return kindOfIPv4(address);
  return isIPv6(address) ? kindOfIPv6(address) : 'none';
};

/** Makes a guard that allows public addresses and those in `allowPrivate`. */
export const makeSsrfGuard = (
  allowPrivate: readonly string[],
  resolve: ResolveHost = systemLookup,
): SsrfGuard => {
  const allowed = makeBlockList(allowPrivate);
  const forbiddenKindOf = (address: string): AddressKind | undefined =>
    isInBlockList(allowed, address) ? undefined : kindOf(address);
  const loopbackAllowed = ['127.0.0.1', '::1'].some((address) => isInBlockList(allowed, address));

  const checkHost = (host: string): void => {
    const literal = host.replace(/^\[(.*)\]$/, '$1');
    const kind = isIPv4(literal) || isIPv6(literal) ? forbiddenKindOf(literal) : undefined;
    if (kind !== undefined)
      throw new AddressRefused({ code: 'address-internal', values: { host: literal, addressKind: kind } });
    // Always this machine, whatever the resolver says; where loopback is allowed, the lookup decides.
    if (/(^|\.)localhost\.?$/.test(host) && !loopbackAllowed) {
      throw new AddressRefused({ code: 'address-internal', values: { host, addressKind: 'this-machine' } });
    }
  };

  const refusalOf = (name: string, addresses: readonly LookupAddress[]): AddressRefused | undefined => {
    for (const { address } of addresses) {
      const kind = forbiddenKindOf(address);
      if (kind !== undefined) {
        return new AddressRefused({
          code: 'name-internal',
          values: { host: name, address, addressKind: kind },
        });
      }
    }
    return undefined;
  };

  return {
    check: (address) => {
      if (!URL.canParse(address)) {
        throw new AddressRefused({ code: 'address-malformed', values: {} });
      }
      const url = new URL(address);
      if (url.protocol !== 'https:' && url.protocol !== 'http:') {
        throw new AddressRefused({ code: 'address-protocol', values: {} });
      }
      if (url.username !== '' || url.password !== '') {
        throw new AddressRefused({ code: 'address-credentials', values: {} });
      }
      checkHost(url.hostname);
      return url;
    },
    // The connection uses the addresses returned here, so the checked and the used address cannot differ.
    lookup: (name, options, callback) => {
      resolve(name, { ...options, all: true }, (error, addresses) => {
        const [first] = error === null ? addresses : [];
        if (first === undefined) {
          callback(error ?? notFound(name), []);
          return;
        }
        const refusal = refusalOf(name, addresses);
        if (refusal !== undefined) callback(refusal, []);
        else if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    },
  };
};

const notFound = (name: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`no address for ${name}`), { code: 'ENOTFOUND' });
