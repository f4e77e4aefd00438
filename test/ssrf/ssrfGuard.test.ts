import { describe, expect, test } from '@jest/globals';
import { AddressRefused, makeSsrfGuard } from '../../src/ssrf/ssrfGuard.js';
import { testCases } from '../support/cases.js';

const guard = makeSsrfGuard([]);
const secret = '/services/T0/B0/geheim?token=geheim';

/** The reason for which an address is refused. */
const refused = (address: string, { check } = guard): string => {
  try {
    check(address);
  } catch (error) {
    expect(error).toBeInstanceOf(AddressRefused);
    return (error as Error).message;
  }
  throw new Error(`allowed: ${address}`);
};

describe('an address is refused that is', () => {
  testCases([
    ['127.0.0.1', 'a loopback address'],
    ['127.255.255.254', 'a loopback address'],
    ['[::1]', 'a loopback address'],
    ['0.0.0.0', 'an unspecified address'],
    ['0.1.2.3', 'an unspecified address'],
    ['[::]', 'an unspecified address'],
    ['10.0.0.1', 'a private address'],
    ['172.16.0.1', 'a private address'],
    ['172.31.255.255', 'a private address'],
    ['192.168.1.1', 'a private address'],
    ['[fc00::1]', 'a private address'],
    ['[fd00:ec2::254]', 'a private address'],
    ['[fec0::1]', 'a private address'],
    ['169.254.169.254', 'a link-local address'],
    ['[fe80::1]', 'a link-local address'],
    ['[febf::1]', 'a link-local address'],
    ['100.64.0.1', "an address inside a provider's network"],
    ['100.127.255.255', "an address inside a provider's network"],
    ['168.63.129.16', "an address inside a cloud's network"],
    ['192.0.2.1', 'an address for documentation'],
    ['198.51.100.1', 'an address for documentation'],
    ['203.0.113.1', 'an address for documentation'],
    ['[2001:db8::1]', 'an address for documentation'],
    ['[3fff::1]', 'an address for documentation'],
    ['198.18.0.1', 'an address for benchmarks'],
    ['198.19.255.255', 'an address for benchmarks'],
    ['[2001:2::1]', 'an address for benchmarks'],
    ['224.0.0.1', 'a multicast address'],
    ['239.255.255.255', 'a multicast address'],
    ['[ff02::1]', 'a multicast address'],
    ['192.0.0.192', 'a reserved address'],
    ['192.88.99.1', 'a reserved address'],
    ['240.0.0.1', 'a reserved address'],
    ['255.255.255.255', 'a reserved address'],
    ['[2001:10::1]', 'a reserved address'],
    ['[100::1]', 'a reserved address'],
    ['[5f00::1]', 'a reserved address'],
    ['[::ffff:7f00:1]', 'an IPv4 address inside IPv6'],
    ['[::ffff:808:808]', 'an IPv4 address inside IPv6'],
    ['[::7f00:1]', 'an IPv4 address inside IPv6'],
    ['[64:ff9b::a00:1]', 'an IPv4 address inside IPv6'],
    ['[64:ff9b:1::a00:1]', 'an IPv4 address inside IPv6'],
    ['[2002:7f00:1::]', 'an IPv4 address inside IPv6'],
    ['[2001:0:7f00:1::]', 'an IPv4 address inside IPv6'],
  ])('inside some network, of documentation, or of IPv4 inside IPv6', (host, kind) => {
    for (const start of [`http://${host}`, `https://${host}:8443`]) {
      const bare = host.replace(/[[\]]/g, '');
      expect(refused(start + secret)).toBe(
        `${bare} is ${kind}; list it in WEBHOOK_ALLOW_PRIVATE to allow it`,
      );
    }
  });
});

testCases([
  ['2130706433', '127.0.0.1'],
  ['0x7f000001', '127.0.0.1'],
  ['0x7f.0.0.0x1', '127.0.0.1'],
  ['0177.0.0.01', '127.0.0.1'],
  ['017700000001', '127.0.0.1'],
  ['127.1', '127.0.0.1'],
  ['127.0.0.1.', '127.0.0.1'],
  ['１２７.0.0.1', '127.0.0.1'],
  ['%31%32%37.0.0.1', '127.0.0.1'],
  ['0', '0.0.0.0'],
  ['2852039166', '169.254.169.254'],
  ['0xA9FEA9FE', '169.254.169.254'],
  ['0xa9.0376.43518', '169.254.169.254'],
  ['167772161', '10.0.0.1'],
  ['0x0a000001', '10.0.0.1'],
  ['012.0.0.1', '10.0.0.1'],
  ['[0:0:0:0:0:0:0:1]', '::1'],
  ['[::ffff:169.254.169.254]', '::ffff:a9fe:a9fe'],
])('is refused as what it is, however it is written', (host, address) => {
  expect(refused(`http://${host}${secret}`)).toMatch(`${address} is a`);
});

testCases(['localhost', 'LOCALHOST', 'localhost.', 'api.localhost', 'a.b.localhost.', 'localhost:3000'])(
  'names of this machine are refused before anybody is asked for their address',
  (host) => {
    expect(refused(`http://${host}${secret}`)).toMatch(/localhost\.? is this machine; list it in/);
  },
);

testCases([
  ['ftp://hooks.example.org/geheim', 'only https:// and http:// are allowed'],
  ['file:///etc/geheim', 'only https:// and http:// are allowed'],
  ['data:text/plain,geheim', 'only https:// and http:// are allowed'],
  ['https://geheim@hooks.example.org/', 'a user name or password in the address is not allowed'],
  ['https://:geheim@hooks.example.org/', 'a user name or password in the address is not allowed'],
  ['https://127.0.0.1:geheim@hooks.example.org/', 'a user name or password in the address is not allowed'],
  ['geheim', 'not an address of the form https://host/path'],
  ['', 'not an address of the form https://host/path'],
  ['https://256.0.0.1/geheim', 'not an address of the form https://host/path'],
  ['http://[fe80::1%25eth0]/geheim', 'not an address of the form https://host/path'],
])('what is no address of a web server is refused, and the reason does not tell it', (address, reason) => {
  expect(refused(address)).toBe(reason);
});

testCases([
  'https://hooks.slack.com',
  'http://hooks.example.org:8080',
  'https://localhost.example.org',
  'https://notlocalhost',
  'https://8.8.8.8',
  'https://172.32.0.1',
  'https://100.128.0.1',
  'https://[2606:4700:4700::1111]',
  'https://[2001:200::1]',
])('others are allowed', (start) => {
  expect(guard.check(start + secret).href).toBe(start + secret);
});

describe('what WEBHOOK_ALLOW_PRIVATE lists is allowed', () => {
  const allowing = makeSsrfGuard(['10.1.0.0/16', '127.0.0.1', 'fd00::/8']);

  testCases(['10.1.2.3', '127.0.0.1', '0x7f000001', '[fd00::7]', '[::ffff:10.1.0.1]', 'localhost'])(
    'in every notation',
    (host) => {
      expect(allowing.check(`http://${host}/`)).toBeInstanceOf(URL);
    },
  );

  testCases(['10.2.0.1', '127.0.0.2', '[::1]', '[fc00::1]', '169.254.169.254', '[::ffff:10.2.0.1]'])(
    'but not its neighbours',
    (host) => {
      expect(refused(`http://${host}${secret}`, allowing)).toMatch('WEBHOOK_ALLOW_PRIVATE');
    },
  );

  test('and localhost stays refused where only other networks are listed', () => {
    expect(refused('http://localhost/', makeSsrfGuard(['10.0.0.0/8']))).toBe(
      'localhost is this machine; list it in WEBHOOK_ALLOW_PRIVATE to allow it',
    );
  });
});
