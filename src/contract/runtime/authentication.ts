import { parse as parseQuery } from 'node:querystring';
import type { Awaitable } from '../../lib/awaitable.js';
import { HttpProblem } from '../../errors/httpProblem.js';
import type { Contract, Operation } from '../contract.js';
import type { SecurityScheme } from '../document.js';
import { parseCookies } from '../parameters.js';
import type { AccessControl, OperationRequest } from './request.js';

/** The parts of a request that identify the caller. */
type Credentials = Pick<OperationRequest<unknown>, 'headers' | 'search' | 'client'>;
type Sent = Omit<Credentials, 'client'>;
/** The cookies of a request, by their names. */
export type ReadCookies<Request extends Pick<Sent, 'headers'>> = (
  request: Request,
) => Readonly<Record<string, string | undefined>>;

/** A header that was sent once. */
export const singleHeader = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header.trim() : undefined;

/** All cookies that were sent. */
export const readSentCookies: ReadCookies<Pick<Sent, 'headers'>> = ({ headers }) =>
  parseCookies(singleHeader(headers['cookie']));

/** The cookies that count. */
export const makeReadCookies = <Key>({
  cookieValue,
}: Pick<AccessControl<Key>, 'cookieValue'>): ReadCookies<Pick<Credentials, 'headers' | 'client'>> =>
  cookieValue
    ? (request) =>
        parseCookies(singleHeader(request.headers['cookie']), (sent) => cookieValue(sent, request.client()))
    : readSentCookies;

/**
 * How to find the token of a security scheme in a request: with `basic`,
 * the user and the password with a colon between.
 */
export const compileToken = <Request extends Sent>(
  scheme: SecurityScheme,
  readCookies: ReadCookies<Request>,
): ((request: Request) => string | undefined) => {
  if (scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic')
    return ({ headers }) => {
      const encoded = /^basic +(\S+)$/i.exec(singleHeader(headers['authorization']) ?? '')?.[1];
      const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
      return decoded.includes(':') ? decoded : undefined;
    };
  if (scheme.type !== 'apiKey')
    return ({ headers }) => /^bearer +(\S+)$/i.exec(singleHeader(headers['authorization']) ?? '')?.[1];
  const { in: place, name } = scheme;
  const lowerCase = name.toLowerCase();
  if (place === 'header') return ({ headers }) => singleHeader(headers[lowerCase]);
  if (place === 'cookie') return (request) => readCookies(request)[name];
  return ({ search }) => {
    const value = parseQuery(search, '&', '=', { maxKeys: 0 })[name];
    return typeof value === 'string' ? value : undefined;
  };
};

/**
 * Finds the key of a request. Throws 401 if there is none, or the error that kept a key from being checked.
 */
export const makeAuthentication = <Key>(contract: Contract, access: AccessControl<Key>) => {
  const schemes = Object.entries(contract.resolved.components.securitySchemes ?? {});
  const readCookies = makeReadCookies(access);
  const tokenReaders = new Map(
    schemes.map(([name, scheme]) => [name, compileToken<Credentials>(scheme, readCookies)]),
  );
  const tryScheme = (
    scheme: string,
    request: Credentials,
    scopes: readonly string[] = [],
  ): Awaitable<Key | undefined> => {
    const token = tokenReaders.get(scheme)?.(request);
    if (token === undefined) return access.anonymous;
    const found = access.authenticate(token, scheme, request, scopes);
    // If another scheme succeeds, its failure is ignored.
    if (found instanceof Promise) found.catch(() => undefined);
    return found;
  };
  const challenge = challengeOf(contract);
  const unauthorized = () => new HttpProblem('unauthorized', {}, challenge);

  /** Is there a token for another scheme as well? */
  const hasOther = (request: Credentials, { security }: Pick<Operation, 'security'>, scheme: string) =>
    security.some((requirement) =>
      requirement.some((other) => other !== scheme && tokenReaders.get(other)?.(request) !== undefined),
    );

  /** One scheme that can not be checked does not matter if another is good. */
  const waitForAll = async (
    tried: ReadonlyMap<string, Awaitable<Key | undefined>>,
    security: Operation['security'],
    suffices: (key: Key) => boolean,
  ): Promise<Key> => {
    const results = await Promise.allSettled([...tried.values()].map(async (found) => found));
    const schemesTried = [...tried.keys()];
    const keyOf = (scheme: string): Key | undefined => {
      const result = results[schemesTried.indexOf(scheme)];
      return result?.status === 'fulfilled' ? result.value : undefined;
    };
    const valid = security.flatMap((requirement) => {
      const keys = requirement.flatMap((scheme) => keyOf(scheme) ?? []);
      if (keys[0] === undefined || keys.length < requirement.length) return [];
      return keys.length > 1 && access.combine
        ? access.combine(Object.fromEntries(requirement.map((scheme, index) => [scheme, keys[index] as Key])))
        : keys[0];
    });
    const [first] = valid;
    if (first !== undefined) return valid.length === 1 ? first : (valid.find(suffices) ?? first);
    const failed = results.find((result) => result.status === 'rejected');
    throw failed ? (failed.reason as Error) : unauthorized();
  };

  return {
    /** Does a request have credentials for any of the schemes, good or bad? */
    hasCredentials: (request: Credentials, security: Operation['security']): boolean =>
      security.flat().some((scheme) => tokenReaders.get(scheme)?.(request) !== undefined),

    /**
     * Tries all schemes at once. A key that is found at once is returned at once. Of several valid keys,
     * the first that suffices is taken, or else the first.
     */
    authenticate: (
      request: Credentials,
      operation: Pick<Operation, 'security' | 'oauthScopes'>,
      suffices: (key: Key) => boolean,
    ): Awaitable<Key> => {
      const { security, oauthScopes } = operation;
      const isGood = (scheme: string, found: Awaitable<Key | undefined>): found is Key =>
        found !== undefined &&
        !(found instanceof Promise) &&
        (!hasOther(request, operation, scheme) || suffices(found));
      const first = security[0]?.[0] ?? '';
      const firstFound = tryScheme(first, request, oauthScopes[first]);
      if (security[0]?.length === 1 && isGood(first, firstFound)) return firstFound;
      const tried = new Map<string, Awaitable<Key | undefined>>([[first, firstFound]]);
      for (const requirement of security) {
        for (const scheme of requirement)
          if (!tried.has(scheme)) tried.set(scheme, tryScheme(scheme, request, oauthScopes[scheme]));
        const [only = '', ...more] = requirement;
        const found = tried.get(only);
        if (more.length === 0 && isGood(only, found)) return found;
      }
      return waitForAll(tried, security, suffices);
    },

    /** For a path without an operation, and so without requirements: the first scheme that gives a key. */
    authenticateInTurn: async (request: Credentials): Promise<Key> => {
      let failure: Error | undefined;
      for (const scheme of tokenReaders.keys()) {
        try {
          const key = await tryScheme(scheme, request);
          if (key !== undefined) return key;
        } catch (error) {
          failure = error as Error;
        }
      }
      throw failure ?? unauthorized();
    },
  };
};

/** What `WWW-Authenticate` says of the schemes that are read from `Authorization`. */
const challengeOf = ({ resolved }: Contract): Readonly<Record<string, string>> => {
  const challenges = Object.values(resolved.components.securitySchemes ?? {}).flatMap((scheme) => {
    if (scheme.type === 'apiKey') return [];
    const isBasic = scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic';
    return isBasic ? [`Basic realm=${quoted(resolved.info.title)}, charset="UTF-8"`] : ['Bearer'];
  });
  return challenges.length === 0 ? {} : { 'WWW-Authenticate': [...new Set(challenges)].join(', ') };
};

/** A header can hold no more than these characters. */
const quoted = (text: string): string => `"${text.replaceAll(/[^\x20-\x7e]|["\\]/g, '')}"`;
