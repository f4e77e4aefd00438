import type { ContractModel } from '../contract.js';
import type { OperationModel } from '../document/operations.js';
import { eventStream, isSafe, type HttpRequest } from '../request.js';
import { exampleSample, requestOf } from './sample.js';

export interface Excuse {
  /** Why something cannot be tried here, for the reader of the report. */
  readonly excuse: string;
}

export const isExcuse = (value: object): value is Excuse => 'excuse' in value;

/** An API key, or the token of a session. Its text is a function, so that it is not printed by accident. */
export interface Key {
  readonly text: () => string;
  /** The environment variable that holds it; `KEY` where there is none. */
  readonly variable?: string;
  readonly scope: string;
  /** Requests per minute; 0 is no limit. */
  readonly limit: number;
  /** Puts it into a request, where that depends on the operation; otherwise the first security scheme does. */
  carry?(request: HttpRequest, own?: OwnValues): HttpRequest;
}

/** What a scenario has set in a request by itself. A credential among it is not replaced. */
export type OwnValues = Pick<HttpRequest, 'requestTarget' | 'headers'>;

/** What is no key of the service, in a request, or has such beside it. */
export interface WrongKey {
  /** `an unknown key in Authorization` */
  readonly what: string;
  carry(request: HttpRequest): HttpRequest;
}

/** Keys with a small limit. Their scope does not matter: the limit comes first. */
export interface LimitedKeys {
  /** A key whose limit may be partly used up. */
  any(): Promise<Key>;
  /** A key with requests left in this minute, and how many. */
  open(): Promise<{ readonly key: Key; readonly left: number }>;
  /** How many requests such a key has at most. */
  readonly most: number;
  /** Is it always the same key, so that `open` may have to wait for the next minute? */
  readonly same: boolean;
}

export interface RevocableKey {
  readonly key: Key;
  revoke(): Promise<void>;
}

/** The keys that the run has for the service. */
export interface Keys {
  /** A key that permits this scope; of a service of others, one for the operation. */
  permitting(scope: string | undefined, operation?: OperationModel): Key | Excuse;
  /** What is no key, for a service of others; otherwise one for each security scheme. */
  wrong?(operation: OperationModel): readonly WrongKey[];
  /** A good credential beside what is none, where a service of others takes either of two. */
  besideWrong?(operation: OperationModel): readonly WrongKey[];
  /** A valid key without this scope; of a service of others, one that the operation does not let in. */
  lacking(scope: string | undefined, operation?: OperationModel): Key | Excuse;
  /** A key without a limit. */
  unlimited(scope: string | undefined): Key | Excuse;
  /** Keys whose limit may be used up. */
  limited(): LimitedKeys | Excuse;
  /** Good keys that are found by the same thing, such as a common beginning. */
  alike?(): readonly Key[];
  /** A new key, and what revokes it; of a service of the run. */
  revocable?(): Promise<RevocableKey>;
  revoked(): Key | Excuse;
  expired(): Key | Excuse;
  /** All keys so far, to find them in answers. */
  all(): readonly Key[];
  /** Those that have not been replaced; otherwise all. */
  current?(): readonly Key[];
  /** Replaces those that are no longer let in. */
  renew?(isLetIn: (key: Key) => Promise<boolean>): Promise<void>;
}

/** Those that keys may have, the weakest first; each includes those before it. */
export const scopesOf = ({ loaded }: ContractModel): readonly string[] => loaded.resolved['x-scopes'] ?? [];

/** Does a key of this scope permit what needs another? */
export const scopePermits = (scopes: readonly string[], scope: string, needed: string | undefined): boolean =>
  needed === undefined || scopes.slice(0, scopes.indexOf(scope) + 1).includes(needed);

/** The header that carries a key, by one of the contract's security schemes. */
export interface KeyCarrier {
  /** The name of the header. */
  readonly header: string;
  valueFor(key: string): string;
}

export const keyCarriers = ({ loaded }: ContractModel): KeyCarrier[] =>
  Object.values(loaded.resolved.components.securitySchemes ?? {}).flatMap((scheme): KeyCarrier[] => {
    if (scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic')
      return [{ header: 'Authorization', valueFor: (key) => `Basic ${Buffer.from(key).toString('base64')}` }];
    if (scheme.type !== 'apiKey') return [{ header: 'Authorization', valueFor: (key) => `Bearer ${key}` }];
    if (scheme.in === 'cookie') return [{ header: 'Cookie', valueFor: (key) => `${scheme.name}=${key}` }];
    return scheme.in === 'header' ? [{ header: scheme.name, valueFor: (key) => key }] : [];
  });

/** HTTP reads the names of headers and of authentication schemes in any case. */
export const inLowerCase = ({ header, valueFor }: KeyCarrier): KeyCarrier => ({
  header: header.toLowerCase(),
  valueFor: (key) => valueFor(key).replace(/^\w+ /, (scheme) => scheme.toLowerCase()),
});

/** For an operation that everybody may use. */
export const noKey: Key = { text: () => '', scope: 'none', limit: 0 };

/** The request with a key, sent by the first security scheme of the contract. */
export const withKey = (
  contract: ContractModel,
  request: HttpRequest,
  key: Key,
  own?: OwnValues,
): HttpRequest => {
  if (key === noKey) return request;
  if (key.carry) return key.carry(request, own);
  const [carrier] = keyCarriers(contract);
  if (!carrier) throw new Error('the contract names no way to show a key that is known here');
  return withCarriedKey(request, carrier, key.text());
};

export const withCarriedKey = (request: HttpRequest, carrier: KeyCarrier, text: string): HttpRequest => ({
  ...request,
  headers: [[carrier.header, carrier.valueFor(text)], ...request.headers],
});

/** A request that changes nothing and shows whether a key is let in, if the contract has one. */
export const probeRequest = (contract: ContractModel, key: Key): HttpRequest | undefined => {
  const safe = contract.operations.filter(
    ({ method, security, responses }) =>
      isSafe(method) &&
      security.length > 0 &&
      !responses.some(({ bodies }) => bodies.some(({ mediaType }) => mediaType === eventStream)),
  );
  const operation = safe.find(({ scope }) => scope === key.scope) ?? safe[0];
  return operation && withKey(contract, requestOf(operation, exampleSample(operation, {})), key);
};

/** Looks like a key of the service, but is not one. */
export const unknownKey = (): string => `uvt_${'0'.repeat(40)}`;
