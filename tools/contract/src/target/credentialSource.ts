import { isSafe, type HttpClient, type HttpRequest } from '../request.js';
import type { Key } from './keys.js';
import type { ServiceData } from './serviceTypes.js';

export interface CredentialOptions {
  /** One of `x-scopes`. */
  readonly scope: string;
  /** Requests per minute; 0 is no limit. */
  readonly limit: number;
  readonly revoked?: boolean;
  readonly expired?: boolean;
}

/** What lets clients in by one contract: API keys, or the sessions of people. Everywhere else both are called keys. */
export interface CredentialSource {
  /** Makes one in the database of a service that the run starts. */
  add(data: ServiceData, options: CredentialOptions): Promise<Key>;
  /** Makes two that are found by the same thing, such as a common beginning. */
  addAlike?(data: ServiceData, options: CredentialOptions): Promise<readonly Key[]>;
  /** Ends one, as an administrator would. */
  revoke?(data: ServiceData, key: Key): Promise<void>;
  /** Can people hand them in with `--key`, for a service that somebody else runs? */
  readonly onCommandLine?: boolean;
  /** Do they have a limit of requests per minute? */
  readonly haveLimits?: boolean;
  /** Can a request end one, as a sign-out does? Then another takes its place. */
  readonly canEnd?: boolean;
  /** Something that is another value after one may have ended. Without it every change is looked after. */
  state?(data: ServiceData): Promise<unknown>;
  /** Is a request that changes something refused with 403 when another site's page sends it? */
  readonly sameOriginOnly?: boolean;
  /** Tables of which every operation reads one: without them each fails with 500. */
  readonly neededTables: readonly string[];
  /** Does the service have to know one before these tables are gone, because it could not look it up later? */
  readonly loadedFirst?: boolean;
}

/** The request as a browser sends it from a page of the service, unless it says itself where it comes from. */
export const asOwnPage = (request: HttpRequest): HttpRequest =>
  request.isBare ||
  isSafe(request.method) ||
  request.headers.some(([name]) => /^(sec-fetch-site|origin)$/i.test(name))
    ? request
    : { ...request, headers: [...request.headers, ['Sec-Fetch-Site', 'same-origin']] };

/** A client whose requests come from a page of the service, where that is asked for. */
export const fromOwnPages = ({ sameOriginOnly }: CredentialSource, client: HttpClient): HttpClient =>
  sameOriginOnly ? { ...client, send: (request) => client.send(asOwnPage(request)) } : client;
