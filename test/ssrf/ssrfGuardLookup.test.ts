import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { expect, test } from '@jest/globals';
import { AddressRefused, makeSsrfGuard, type ResolveHost, type SsrfGuard } from '../../src/ssrf/ssrfGuard.js';
import { testCases } from '../support/cases.js';

/** A resolver with these answers, one after the other. */
const resolving = (...answers: string[][]): ResolveHost & { asked: string[] } => {
  const asked: string[] = [];
  const resolve: ResolveHost = (name, options, callback) => {
    expect(options.all).toBe(true);
    const answer = answers[asked.push(name) - 1] ?? [];
    callback(
      null,
      answer.map((address) => ({ address, family: isIP(address) })),
    );
  };
  return Object.assign(resolve, { asked });
};

type Found = string | LookupAddress[];

const look = ({ lookup }: SsrfGuard, options: { all?: boolean } = { all: true }): Promise<Found> =>
  new Promise((resolve, reject) => {
    lookup('hooks.example.org', options, (error, found) => {
      if (error === null) resolve(found);
      else reject(error);
    });
  });

testCases(['127.0.0.1', '::1', '169.254.169.254', '10.0.0.1', '::ffff:127.0.0.1', 'fe80::1%eth0', 'none'])(
  'a name that resolves to any forbidden address is refused',
  async (address) => {
    const looking = look(makeSsrfGuard([], resolving([address])));
    await expect(looking).rejects.toBeInstanceOf(AddressRefused);
    await expect(looking).rejects.toThrow(`hooks.example.org resolves to ${address}, `);
  },
);

test('the reason says what it is', async () => {
  await expect(look(makeSsrfGuard([], resolving(['10.0.0.1'])))).rejects.toThrow(
    'hooks.example.org resolves to 10.0.0.1, a private address; list it in WEBHOOK_ALLOW_PRIVATE to allow it',
  );
});

testCases([
  [['8.8.8.8', '10.0.0.1']],
  [['10.0.0.1', '8.8.8.8']],
  [['2606:4700:4700::1111', '8.8.8.8', '::1']],
])('one forbidden address among others is enough', async (addresses) => {
  await expect(look(makeSsrfGuard([], resolving(addresses)))).rejects.toBeInstanceOf(AddressRefused);
  await expect(look(makeSsrfGuard([], resolving(addresses)), {})).rejects.toBeInstanceOf(AddressRefused);
});

test('exactly the addresses that were checked are passed on, after a single question', async () => {
  const resolve = resolving(['8.8.8.8', '2606:4700:4700::1111'], ['127.0.0.1']);
  expect(await look(makeSsrfGuard([], resolve))).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700:4700::1111', family: 6 },
  ]);
  expect(resolve.asked).toEqual(['hooks.example.org']);
});

test('a name that is rebound to a private address is refused the next time', async () => {
  const guard = makeSsrfGuard([], resolving(['8.8.8.8'], ['127.0.0.1']));
  expect(await look(guard)).toEqual([{ address: '8.8.8.8', family: 4 }]);
  await expect(look(guard)).rejects.toBeInstanceOf(AddressRefused);
});

test('a lookup of one address returns the first', async () => {
  expect(await look(makeSsrfGuard([], resolving(['8.8.8.8', '8.8.4.4'])), {})).toBe('8.8.8.8');
});

test('what WEBHOOK_ALLOW_PRIVATE lists may be resolved to, and nothing else with it', async () => {
  const allowed = ['10.0.0.0/8'];
  const found = [{ address: '10.0.0.1', family: 4 }];
  expect(await look(makeSsrfGuard(allowed, resolving(['10.0.0.1'])))).toEqual(found);
  await expect(look(makeSsrfGuard(allowed, resolving(['10.0.0.1', '::1'])))).rejects.toThrow(
    'to ::1, a loopback',
  );
});

test('a name without an address is not found', async () => {
  await expect(look(makeSsrfGuard([], resolving([])))).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('an error of the resolver is passed on', async () => {
  const failure = Object.assign(new Error('queryA EAI_AGAIN'), { code: 'EAI_AGAIN' });
  const resolve: ResolveHost = (_name, _options, callback) => callback(failure, []);
  await expect(look(makeSsrfGuard([], resolve))).rejects.toBe(failure);
});

test('by default the system resolves names', async () => {
  const { lookup } = makeSsrfGuard([]);
  const found = await new Promise((resolve) => {
    lookup('127.0.0.1', { all: true }, (error) => resolve(error));
  });
  expect(found).toBeInstanceOf(AddressRefused);
});
