import { expect, test } from '@jest/globals';
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

test('an entry is an address or a network', () => {
  const right = ['127.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '10.1.2.3/32', '::1', 'fd00::/8', '::/0', '::1/128'];
  expect(right.filter((entry) => !isAddressOrNetwork(entry))).toEqual([]);
  expect(() => makeBlockList(right)).not.toThrow();
  const wrong = [
    'localhost',
    '127.1',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '/8',
    '',
  ];
  expect(wrong.filter(isAddressOrNetwork)).toEqual([]);
});

test('a list holds its addresses and those of its networks, and no others', () => {
  const list = makeBlockList(['127.0.0.1', '10.0.0.0/8', 'fd00::/8', '::1']);

  const held = ['127.0.0.1', '10.255.0.1', 'fd12::1', '::1', '0:0:0:0:0:0:0:1', '::ffff:10.0.0.1'];
  const others = [
    '127.0.0.2',
    '11.0.0.1',
    'fe80::1',
    '::2',
    '::ffff:11.0.0.1',
    '',
    'localhost',
    '10.0.0.0/8',
  ];
  expect([...held, ...others].filter((address) => isInBlockList(list, address))).toEqual(held);
});

const networks: [address: string, network: string][] = [
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
];

test('an address of IPv6 counts as its network of 64 bits', () => {
  expect(networks.map(([address]) => [address, networkOf(address)])).toEqual(networks);
});
