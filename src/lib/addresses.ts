import { BlockList, isIP } from 'node:net';

/** The entries of a list as an operator writes it: `127.0.0.1, 10.0.0.0/8`. */
export const parseAddressList = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

/** Is it an address, or a network such as `10.0.0.0/8`? */
export const isAddressOrNetwork = (entry: string): boolean => {
  const [address = '', bits, ...more] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
};

/** What clients of a Unix socket have for an address: they have none, and are on this machine. */
export const unixPeer = 'unix';

const listsWithUnix = new WeakSet<BlockList>();

/** Addresses and networks, and perhaps `unix`, as a list to check against. Throws on anything else. */
export const makeBlockList = (addresses: readonly string[]): BlockList => {
  const list = new BlockList();
  if (addresses.includes(unixPeer)) listsWithUnix.add(list);
  for (const entry of addresses.filter((one) => one !== unixPeer)) {
    const [address = '', bits] = entry.split('/');
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
};

/** Does the list name this address, or a network that it is in? What is no address is in no list. */
export const isInBlockList = (list: BlockList, address: string): boolean =>
  isIP(address) === 0
    ? address === unixPeer && listsWithUnix.has(list)
    : list.check(address, familyOf(address));

/** The network that one client has to itself: an IPv4 address, or the first 64 bits of an IPv6 address. */
export const networkOf = (address: string): string => {
  const [bare = ''] = address.split('%');
  if (isIP(bare) !== 6) return address;
  // URLs write IPv6 addresses in one way only.
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (mapped)
    return [mapped[1], mapped[2]]
      .map((part) => parseInt(part ?? '', 16))
      .flatMap((part) => [part >> 8, part & 255])
      .join('.');
  const [head = '', tail] = canonical.split('::');
  const groups = (text = ''): string[] => text.split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: zeros }, () => '0'), ...groups(tail)];
  return `${all.slice(0, 4).join(':')}::/64`;
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
