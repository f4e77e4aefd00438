import { BlockList, isIP } from 'node:net';
import { waitOrAbort } from '../deadline.js';

/** An access point as FreeRADIUS knows it: by address, network or name. */
export interface NasRow {
  readonly nasname: string;
  readonly secret: string;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** `192.168.1.0/24`; undefined for anything else. */
const parseNetwork = (
  nasname: string,
): { readonly bits: number; has(address: string): boolean } | undefined => {
  const [, base = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(nasname) ?? [];
  const bits = Number(length);
  const family = familyOf(base);
  if (isIP(base) === 0 || bits > (family === 'ipv4' ? 32 : 128)) return undefined;
  const list = new BlockList();
  list.addSubnet(base, bits, family);
  return { bits, has: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) };
};

/** More names are not looked up. */
const maxNames = 20;

/**
 * The secrets of access points by their addresses. As in FreeRADIUS an address comes before a network,
 * and a small network before a large one. Names are looked up for those that are still unknown.
 */
export const findSecrets = async (
  addresses: readonly string[],
  rows: readonly NasRow[],
  lookup: (name: string) => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<Map<string, string>> => {
  const exact = new Map(rows.map(({ nasname, secret }) => [nasname, secret]));
  const networks = rows
    .flatMap(({ nasname, secret }) => {
      const network = parseNetwork(nasname);
      return network ? [{ ...network, secret }] : [];
    })
    .sort((a, b) => b.bits - a.bits);
  const found = new Map<string, string>();
  for (const address of addresses) {
    const secret = exact.get(address) ?? networks.find(({ has }) => has(address))?.secret;
    if (secret !== undefined) found.set(address, secret);
  }
  if (addresses.every((address) => found.has(address))) return found;
  const names = rows.filter(({ nasname }) => isIP(nasname) === 0 && !nasname.includes('/'));
  await Promise.all(
    names.slice(0, maxNames).map(async ({ nasname, secret }) => {
      const resolved = await waitOrAbort(lookup(nasname), nasname, signal).catch(() => []);
      for (const address of resolved)
        if (addresses.includes(address) && !found.has(address)) found.set(address, secret);
    }),
  );
  return found;
};
