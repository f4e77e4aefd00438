import fc from 'fast-check';
import type { TestService } from '../support/service.js';

/** What the keys of a request amount to. `limited` has few requests a minute, so it may be refused. */
export type Standing = 'none' | 'read' | 'write' | 'limited';

export interface Credentials {
  readonly standing: Standing;
  readonly headers: readonly (readonly [string, string])[];
}

export interface Keys {
  readonly read: string;
  readonly write: string;
  /** With a limit that is never reached. */
  readonly counted: string;
  readonly limited: string;
  readonly expired: string;
  readonly revoked: string;
}

export const addKeys = async (service: TestService, now: number): Promise<Keys> => {
  const revoked = await service.addKey({ name: 'Widerrufen' });
  await service.tables.apiKeys.revoke(revoked.slice(4, 12), now);
  return {
    read: await service.addKey({ scope: 'read' }),
    write: await service.addKey({ name: 'Buchungssystem' }),
    counted: await service.addKey({ rateLimit: 1_000_000 }),
    limited: await service.addKey({ rateLimit: 5 }),
    expired: await service.addKey({ expiresAt: now - 1 }),
    revoked,
  };
};

const schemes = fc.constantFrom('Bearer', 'bearer', 'BEARER', 'bEaReR');
const bearer = (key: string) =>
  schemes.map((scheme) => [['Authorization', `${scheme} ${key}`]] as [string, string][]);
const apiKey = (key: string) =>
  fc.constantFrom('X-API-Key', 'x-api-key').map((name) => [[name, key]] as [string, string][]);

/** One valid way to show a key, or two of which one is valid. */
const shown = (key: string, invalid: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 6, arbitrary: bearer(key) },
    { weight: 6, arbitrary: apiKey(key) },
    { weight: 1, arbitrary: invalid.chain((bad) => apiKey(key).map((good) => [...good, ...auth(bad)])) },
    { weight: 1, arbitrary: invalid.chain((bad) => bearer(key).map((good) => [...good, ...plain(bad)])) },
  );
const auth = (value: string): [string, string][] => [['Authorization', `Bearer ${value}`]];
const plain = (value: string): [string, string][] => [['X-API-Key', value]];

/** Any characters that a client can put in a header: visible ones, blanks and bytes above 127. */
export const headerText = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) })
  .map((text) => text.replaceAll('\x7f', ''));

/** Every way to show, and to fail to show, an API key. Most are valid. */
export const credentials = (keys: Keys): fc.Arbitrary<Credentials> => {
  const invalid = fc.oneof(
    fc.constantFrom(keys.expired, keys.revoked, keys.write.toUpperCase(), keys.write.slice(0, -1)),
    fc.constantFrom('', 'uvt_', `uvt_${'0'.repeat(40)}`, `${keys.write}0`, `"${keys.write}"`, '__proto__'),
    headerText.filter((text) => !/uvt_/i.test(text)),
  );
  const refused = fc.oneof(
    fc.constant<[string, string][]>([]),
    invalid.map(auth),
    invalid.map(plain),
    fc.constantFrom<[string, string][]>(
      [['Authorization', keys.write]],
      [['Authorization', `Basic ${keys.write}`]],
      [['Authorization', `Bearer${keys.write}`]],
      [['Authorization', `Bearer ${keys.write} ${keys.write}`]],
      [['Cookie', `key=${keys.write}`]],
      [['Proxy-Authorization', `Bearer ${keys.write}`]],
    ),
  );
  const of = (standing: Standing, headers: fc.Arbitrary<[string, string][]>) =>
    headers.map((shownHeaders) => ({ standing, headers: shownHeaders }));
  return fc.oneof(
    { weight: 10, arbitrary: of('write', shown(keys.write, invalid)) },
    { weight: 10, arbitrary: of('write', shown(keys.counted, invalid)) },
    { weight: 2, arbitrary: of('read', shown(keys.read, invalid)) },
    { weight: 1, arbitrary: of('limited', shown(keys.limited, invalid)) },
    { weight: 2, arbitrary: of('none', refused) },
  );
};
