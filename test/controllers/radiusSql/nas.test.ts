import { expect, test } from '@jest/globals';
import { findSecrets } from '../../../src/controllers/radiusSql/nas.js';
import { testCases } from '../../support/cases.js';

const rows = [
  { nasname: '0.0.0.0/0', secret: 'all' },
  { nasname: '192.168.1.0/24', secret: 'network' },
  { nasname: '192.168.1.128/25', secret: 'half' },
  { nasname: '192.168.1.5', secret: 'address' },
  { nasname: '2001:db8::/32', secret: 'network of IPv6' },
  { nasname: 'ap.example.com', secret: 'name' },
  { nasname: '10.0.0.0/33', secret: 'too long' },
  { nasname: 'x/y/24', secret: 'no network' },
];
const find = async (
  address: string,
  from = rows,
  lookup: (name: string) => Promise<string[]> = () => Promise.resolve([]),
) => (await findSecrets([address], from, lookup, new AbortController().signal)).get(address);

testCases([
  ['192.168.1.5', 'address'],
  ['192.168.1.6', 'network'],
  ['192.168.1.200', 'half'],
  ['172.16.0.1', 'all'],
  ['2001:db8::7', 'network of IPv6'],
  ['2001:db9::7', undefined],
  ['', undefined],
])('the secret for an address is that of the nearest', async (address, secret) =>
  expect(await find(address)).toBe(secret),
);

test('names are looked up for what no address or network covers', async () => {
  const names = rows.filter(({ secret }) => secret === 'name' || secret === 'network');
  const asked: string[] = [];
  const lookup = (name: string) => {
    asked.push(name);
    return Promise.resolve(['10.1.1.1', '10.1.1.2']);
  };
  expect(await find('192.168.1.6', names, lookup)).toBe('network');
  expect(asked).toEqual([]);
  expect(await find('10.1.1.2', names, lookup)).toBe('name');
  expect(await find('10.1.1.3', names, lookup)).toBeUndefined();
  expect(asked).toEqual(['ap.example.com', 'ap.example.com']);
});

test('a name that can not be looked up, or not in time, is no error', async () => {
  const names = [{ nasname: 'ap.example.com', secret: 'name' }];
  expect(await find('10.1.1.1', names, () => Promise.reject(new Error('ENOTFOUND')))).toBeUndefined();
  const never = new Promise<string[]>(() => undefined);
  const ended = new AbortController();
  const found = findSecrets(['10.1.1.1'], names, () => never, ended.signal);
  ended.abort();
  expect(await found).toEqual(new Map());
});

test('few names are looked up, however many there are', async () => {
  let asked = 0;
  const many = Array.from({ length: 1000 }, (_, nth) => ({
    nasname: `ap${String(nth)}.example.com`,
    secret: 's',
  }));
  await find('10.1.1.1', many, () => {
    asked += 1;
    return Promise.resolve([]);
  });
  expect(asked).toBe(20);
});
