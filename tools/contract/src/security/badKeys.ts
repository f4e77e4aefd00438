import type { ContractModel } from '../contract.js';
import type { OperationModel } from '../document/operations.js';
import type { HttpRequest } from '../request.js';
import {
  type Excuse,
  type Key,
  type KeyCarrier,
  type Keys,
  isExcuse,
  keyCarriers,
  unknownKey,
  withCarriedKey,
} from '../target/keys.js';

/** A request that must be refused like one without a key. */
export interface BadKey {
  /** `a revoked key in X-API-Key` */
  readonly what: string;
  readonly request: HttpRequest | Excuse;
  /** The text that was shown as a key. */
  readonly text: string;
}

type Named = readonly [what: string, text: string];

/** Everything that is no valid key, wherever the contract lets a key stand, and valid ones where none may stand. */
export const badKeys = (
  contract: ContractModel,
  keys: Keys,
  good: Key,
  request: HttpRequest,
): readonly [none: BadKey, ...others: BadKey[]] => {
  const carriers = keyCarriers(contract);
  return [
    { what: 'no key', request, text: '' },
    ...carriers.flatMap((carrier) => [
      ...malformed(good.text(), carrier).map(([what, text]) => bad(request, carrier, what, text)),
      bad(request, carrier, 'an unknown key', unknownKey()),
      refusedKey(request, carrier, 'a revoked key', keys.revoked()),
      refusedKey(request, carrier, 'an expired key', keys.expired()),
    ]),
    ...misplaced(request, carriers, good.text()),
  ];
};

const bad = (request: HttpRequest, carrier: KeyCarrier, what: string, text: string): BadKey => ({
  what: `${what} in ${carrier.header}`,
  request: withCarriedKey(request, carrier, text),
  text,
});

const refusedKey = (request: HttpRequest, carrier: KeyCarrier, what: string, key: Key | Excuse): BadKey =>
  isExcuse(key)
    ? { what: `${what} in ${carrier.header}`, request: key, text: '' }
    : bad(request, carrier, what, key.text());

const malformed = (key: string, { header }: KeyCarrier): Named[] => {
  const last = key.slice(-1);
  return [
    ['an empty key', ''],
    ['a word', 'x'],
    ['the start of a key', key.slice(0, 12)],
    ['a key without its last character', key.slice(0, -1)],
    ['a key with one character more', `${key}0`],
    ['a key with another last character', key.slice(0, -1) + (last === '0' ? '1' : '0')],
    ['a key in capitals', key.toUpperCase()],
    // Quotes around the value of a cookie do not belong to it.
    ...(header === 'Cookie' ? [] : ([['a key in quotes', `"${key}"`]] satisfies Named[])),
    ['two keys', `${key}, ${key}`],
    ['SQL', "' OR '1'='1"],
    ['a prototype name', '__proto__'],
  ];
};

/** A good key in one header and a bad one in another, where either is enough: the bad one must not matter. */
export const pairedKeys = (
  contract: ContractModel,
  { security }: Pick<OperationModel, 'security'>,
  good: Key,
): { readonly what: string; add(request: HttpRequest): HttpRequest }[] => {
  const carriers = keyCarriers(contract).filter(({ header }) => header !== 'Cookie');
  if (security.length < 2 || security.some((together) => together.length !== 1)) return [];
  return carriers.flatMap((carrier) =>
    carriers
      .filter(({ header }) => header !== carrier.header)
      .flatMap((other) =>
        ['', 'x', unknownKey()].map((text) => ({
          what: `a good key in ${carrier.header} beside "${text}" in ${other.header}`,
          add: (request: HttpRequest) =>
            withCarriedKey(withCarriedKey(request, carrier, good.text()), other, text),
        })),
      ),
  );
};

/** A valid key counts only where the contract says. */
const misplaced = (request: HttpRequest, carriers: readonly KeyCarrier[], key: string): BadKey[] => {
  const names = [
    ...['key', 'api_key', 'api-key', 'apiKey', 'apikey', 'access_token', 'token', 'auth', 'session'],
    ...carriers.map(({ header }) => header),
    ...carriers.map(({ header }) => header.toLowerCase()),
  ].filter((name) => !carriers.some(({ valueFor }) => valueFor('') === `${name}=`));
  const pairs = names.map((name) => `${name}=${key}`);
  const inQuery = {
    what: 'a valid key in the query, under any name',
    text: key,
    request: {
      ...request,
      requestTarget: `${request.requestTarget}${request.requestTarget.includes('?') ? '&' : '?'}${pairs.join('&')}`,
    },
  };
  const inHeader = (what: string, name: string, value: string): BadKey => ({
    what: `a valid key ${what}`,
    text: key,
    request: { ...request, headers: [[name, value], ...request.headers] },
  });
  return [
    inQuery,
    inHeader('with another scheme', 'Authorization', `Basic ${key}`),
    inHeader('as the user of Basic', 'Authorization', `Basic ${Buffer.from(`${key}:`).toString('base64')}`),
    inHeader('without a scheme', 'Authorization', key),
    ...(carriers.some(({ header }) => header === 'Authorization')
      ? []
      : [inHeader('as a bearer token', 'Authorization', `Bearer ${key}`)]),
    inHeader('in cookies, under any name', 'Cookie', pairs.join('; ')),
    inHeader('in Proxy-Authorization', 'Proxy-Authorization', `Bearer ${key}`),
  ];
};
