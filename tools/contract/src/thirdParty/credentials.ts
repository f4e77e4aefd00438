import { documentValue, type ContractModel } from '../contract.js';
import type { OperationModel } from '../document/operations.js';
import { jsonFields } from '../json.js';
import { isSafe, type HttpRequest } from '../request.js';
import type { Secret } from '../secret.js';
import type { Excuse, Key, Keys, OwnValues, WrongKey } from '../target/keys.js';

/** What the command line gives for a service of others. */
export interface GivenCredentials {
  /** By the name of their security scheme; an empty name is for those without one of their own. */
  readonly keys: ReadonlyMap<string, Secret>;
  /** Of somebody who may only read. */
  readonly readKey?: Secret | undefined;
  /** For every request. One that a security scheme uses is its credential as it stands. */
  readonly headers: readonly GivenHeader[];
}

export interface GivenHeader {
  readonly name: string;
  /** A plain text is no secret. */
  readonly value: Secret | string;
}

/** How a security scheme puts a secret into a request. */
interface Carrier {
  /** `Authorization`, `the query token` */
  readonly place: string;
  /** The header that it uses, in lower case. */
  readonly header?: string;
  carry(request: HttpRequest, secret: string): HttpRequest;
  /** Has a scenario set one itself? */
  isSetIn(own: OwnValues): boolean;
  /** What is no credential of anybody. */
  readonly wrong: string;
}

const nobody = '0'.repeat(40);

const valuesOf = ({ headers }: OwnValues, name: string): string[] =>
  headers.filter(([one]) => one.toLowerCase() === name.toLowerCase()).map(([, value]) => value);

const withHeader = (request: HttpRequest, name: string, value: string): HttpRequest => ({
  ...request,
  headers: [[name, value], ...request.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase())],
});

const inHeader = (name: string, valueFor: (secret: string) => string, wrong = nobody): Carrier => ({
  place: name,
  header: name.toLowerCase(),
  carry: (request, secret) => withHeader(request, name, valueFor(secret)),
  isSetIn: (own) => valuesOf(own, name).length > 0,
  wrong,
});

const carrierOf = (scheme: unknown): Carrier | undefined => {
  const { type, scheme: kind, in: place, name: given } = jsonFields(scheme);
  const name = String(given);
  if (type === 'http' && /^basic$/i.test(String(kind)))
    return inHeader(
      'Authorization',
      (secret) => `Basic ${Buffer.from(secret).toString('base64')}`,
      'no:body',
    );
  // The tokens of OAuth and OpenID Connect are bearer tokens.
  if (['http', 'oauth2', 'openIdConnect'].includes(String(type)))
    return inHeader('Authorization', (secret) => `Bearer ${secret}`);
  if (type !== 'apiKey') return undefined;
  if (place === 'header') return inHeader(name, (secret) => secret);
  if (place === 'cookie')
    return {
      place: `the cookie ${name}`,
      carry: (request, secret) => {
        const [, others] = request.headers.find(([one]) => /^cookie$/i.test(one)) ?? [];
        return withHeader(request, 'Cookie', [others, `${name}=${secret}`].filter(Boolean).join('; '));
      },
      isSetIn: (own) =>
        valuesOf(own, 'Cookie')
          .flatMap((cookies) => cookies.split(';'))
          .some((cookie) => cookie.trim().startsWith(`${name}=`)),
      wrong: nobody,
    };
  return {
    place: `the query ${name}`,
    carry: (request, secret) => {
      const sign = request.requestTarget.includes('?') ? '&' : '?';
      const pair = `${encodeURIComponent(name)}=${encodeURIComponent(secret)}`;
      return { ...request, requestTarget: `${request.requestTarget}${sign}${pair}` };
    },
    isSetIn: ({ requestTarget }) => new URLSearchParams(requestTarget.split('?')[1]).has(name),
    wrong: nobody,
  };
};

/** A credential of a security scheme that was given. */
interface Held {
  readonly key: Key;
  carry(request: HttpRequest): HttpRequest;
  isSetIn(own: OwnValues): boolean;
}

/** The credentials that were given, as the security schemes of the contract use them. */
export const makeThirdPartyKeys = (
  { loaded }: Pick<ContractModel, 'loaded'>,
  { keys, readKey, headers }: GivenCredentials,
): Keys & { readonly headers: readonly (readonly [name: string, value: string])[] } => {
  const carriers = new Map(
    Object.keys(jsonFields(documentValue(loaded.document, ['components', 'securitySchemes']))).map((name) => [
      name,
      carrierOf(documentValue(loaded.document, ['components', 'securitySchemes', name])),
    ]),
  );
  const isCredential = ({ name }: GivenHeader): boolean =>
    [...carriers.values()].some((carrier) => carrier?.header === name.toLowerCase());
  const heldFor = (scheme: string): Held | undefined => {
    const carrier = carriers.get(scheme);
    if (!carrier) return undefined;
    const header = headers.find(({ name }) => name.toLowerCase() === carrier.header);
    if (header) return heldHeader(header, carrier);
    const secret = keys.get(scheme) ?? keys.get('');
    return secret && heldSecret(secret, carrier);
  };
  return {
    headers: headers
      .filter((header) => !isCredential(header))
      .map(({ name, value }) => [name, typeof value === 'string' ? value : value()]),
    permitting: (_scope, operation) => keyFor(operation?.security ?? [[...carriers.keys()]], heldFor),
    wrong: ({ security }) => wrongKeys(security, carriers),
    besideWrong: ({ security }) => {
      const [first] = security.flatMap((schemes) =>
        schemes.length === 1 && heldFor(schemes[0] ?? '') ? schemes : [],
      );
      // A credential that is given for no scheme in particular may be of one of them only.
      return besideWrong(security, carriers, (scheme) =>
        scheme === first || keys.has(scheme) ? heldFor(scheme) : undefined,
      );
    },
    lacking: (_scope, operation) => {
      if (!readKey)
        return { excuse: 'needs a credential that may only read: --read-key-env or --read-key-file' };
      if (!operation || isSafe(operation.method))
        return { excuse: 'a credential that may only read may do this; --scenarios can show how' };
      return keyFor(operation.security, (scheme) => {
        const carrier = carriers.get(scheme);
        return carrier && heldSecret(readKey, carrier, 'read');
      });
    },
    unlimited: () => ({ excuse: 'needs a key without a limit' }),
    limited: () => ({ excuse: 'needs a key whose limit may be used up' }),
    revoked: () => ({ excuse: 'needs a revoked key' }),
    expired: () => ({ excuse: 'needs an expired key' }),
    all: () => [
      ...[...keys.values(), ...(readKey ? [readKey] : [])].map((secret) => keyOf(secret)),
      ...headers.flatMap(({ value }) => (typeof value === 'string' ? [] : [keyOf(value)])),
    ],
  };
};

const keyOf = (secret: Secret, scope = 'any'): Key => ({
  text: secret,
  variable: secret.variable,
  scope,
  limit: 0,
});

const heldSecret = (secret: Secret, { carry, isSetIn }: Carrier, scope?: string): Held => ({
  key: keyOf(secret, scope),
  carry: (request) => carry(request, secret()),
  isSetIn,
});

const heldHeader = ({ name, value }: GivenHeader, { isSetIn }: Carrier): Held => {
  const text = typeof value === 'string' ? () => value : value;
  return {
    key: { ...(typeof value !== 'string' && { variable: value.variable }), text, scope: 'any', limit: 0 },
    carry: (request) => withHeader(request, name, text()),
    isSetIn,
  };
};

/** The first combination of security schemes for all of which there is a credential. */
const keyFor = (
  security: OperationModel['security'],
  heldFor: (scheme: string) => Held | undefined,
): Key | Excuse => {
  for (const schemes of security) {
    const held = schemes.map(heldFor).filter((one) => one !== undefined);
    const [first] = held;
    if (first && held.length === schemes.length)
      return {
        ...first.key,
        carry: (request, own) =>
          held
            .filter(({ isSetIn }) => !own || !isSetIn(own))
            .reduce((carried, one) => one.carry(carried), request),
      };
  }
  const wanted = [...new Set(security.map((schemes) => schemes.join(' with ')))].join(' or ');
  return { excuse: `needs a credential for ${wanted}: --key-env, --key-file or --header` };
};

/** Each of several requirements is enough, so what is wrong with another one does not matter, whichever is given. */
const besideWrong = (
  security: OperationModel['security'],
  carriers: ReadonlyMap<string, Carrier | undefined>,
  heldFor: (scheme: string) => Held | undefined,
): WrongKey[] => {
  const alone = security.flatMap((schemes) => (schemes.length === 1 ? schemes : []));
  return alone.flatMap((good) =>
    alone.flatMap((bad) => {
      const [held, place, other] = [heldFor(good), carriers.get(good), carriers.get(bad)];
      // One header has one credential.
      if (!held || !place || !other || place.place === other.place) return [];
      return [
        {
          what: `the credential in ${place.place} beside an unknown one in ${other.place}`,
          carry: (request: HttpRequest) => held.carry(other.carry(request, other.wrong)),
        },
      ];
    }),
  );
};

/** What nobody has, by each security scheme of an operation. */
const wrongKeys = (
  security: OperationModel['security'],
  carriers: ReadonlyMap<string, Carrier | undefined>,
): WrongKey[] =>
  [...new Set(security.flat())].flatMap((scheme) => {
    const carrier = carriers.get(scheme);
    if (!carrier) return [];
    return [
      {
        what: `an unknown credential in ${carrier.place}`,
        carry: (request) => carrier.carry(request, carrier.wrong),
      },
    ];
  });
