import { describe, expect, test } from '@jest/globals';
import {
  isAddressOrNetwork,
  isInBlockList,
  makeBlockList,
  networkOf,
  parseAddressList,
} from '../../src/lib/addresses.js';

test('a list is separated by commas; spaces and empty entries do not count', () => {
  expect(parseAddressList(' 127.0.0.1, ,10.0.0.0/8,,::1 ')).toEqual(['127.0.0.1', '10.0.0.0/8', '::1']);
  expect(parseAddressList('')).toEqual([]);
});

describe('an entry is an address or a network', () => {
  test.each(['127.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '10.1.2.3/32', '::1', 'fd00::/8', '::/0', '::1/128'])(
    '%s is',
    (entry) => {
      expect(isAddressOrNetwork(entry)).toBe(true);
      expect(() => makeBlockList([entry])).not.toThrow();
    },
  );

  test.each([
    'localhost',
    '127.1',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '/8',
    '',
  ])('%j is not', (entry) => {
    expect(isAddressOrNetwork(entry)).toBe(false);
  });
});

describe('a list holds', () => {
  const list = makeBlockList(['127.0.0.1', '10.0.0.0/8', 'fd00::/8', '::1']);

  test.each(['127.0.0.1', '10.255.0.1', 'fd12::1', '::1', '0:0:0:0:0:0:0:1', '::ffff:10.0.0.1'])(
    '%s',
    (address) => {
      expect(isInBlockList(list, address)).toBe(true);
    },
  );

  test.each(['127.0.0.2', '11.0.0.1', 'fe80::1', '::2', '::ffff:11.0.0.1', '', 'localhost', '10.0.0.0/8'])(
    'not %j',
    (address) => {
      expect(isInBlockList(list, address)).toBe(false);
    },
  );
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:0207', '192.0.2.7'],
  ['2001:db8:0:1::7', '2001:db8:0:1::/64'],
  ['2001:0DB8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
  ['2001:db8::1:0:0:0:1', '2001:db8:0:1::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ['no address', 'no address'],
  ['', ''],
])('%j is in the network %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
