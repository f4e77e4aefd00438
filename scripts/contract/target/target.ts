import type { HttpAnswer, HttpClient, HttpExchange, HttpRequest } from '../request.js';
import type { Budget } from './budget.js';
import type { Excuse, Key, Keys } from './keys.js';
import type { Substitutions } from './sample.js';

/** The sites of a local service, by the behaviour of their controllers. */
export interface FixtureSites {
  /** Two whose controllers work. */
  readonly healthy: readonly [number, number];
  /** The controller refuses every order. */
  readonly refusing: number;
  /** The controller answers without a voucher. */
  readonly withoutVoucher: number;
  /** The controller creates the voucher, and its answer is lost. */
  readonly lost: number;
  readonly inactive: number;
}

/** A voucher as the controller has stored it. */
export interface MadeVoucher {
  readonly name: string;
  readonly max_uses: number;
  readonly expire_minutes: number;
  readonly down: number;
  readonly up: number;
  readonly quota_mb: number;
}

/** What the run knows about a local service, and may do to it. */
export interface Fixture {
  readonly sites: FixtureSites;
  /** The names of the active sites, by id. */
  readonly siteNames: ReadonlyMap<number, string>;
  /** The codes of the vouchers that the service has recorded for a site, newest first. */
  recordedCodes(siteId: number): Promise<readonly string[]>;
  /** Another service whose database can't be read, and a key for it. */
  broken(): Promise<{ readonly client: HttpClient; readonly key: Key }>;
  /** Another service that is at its limit of requests in flight, and a key for it. */
  busy(): Promise<{ readonly client: HttpClient; readonly key: Key }>;
  /** The voucher with this code, on the controller of any healthy site. */
  madeVoucher(code: string): Promise<MadeVoucher | undefined>;
}

/** What an answer must fulfil beyond what the contract says about its status. */
export interface Expectation {
  /** Headers that must be present, although the contract makes them optional. */
  readonly present?: readonly string[];
  /** Headers that must be absent. */
  readonly absent?: readonly string[];
  /** The message must be one of these. */
  readonly messages?: readonly string[];
}

/** Requests that lead an operation to a status. */
export interface Scenario extends Expectation {
  /** The circumstances, as part of a sentence: `without a key`. */
  readonly how: string;
  /** Sends all requests; returns the last exchange, whose answer should have the status. */
  send(): Promise<HttpExchange>;
}

/** How an operation is led to a status, why that is not possible here, or that no scenario is known. */
export type ScenarioPlan =
  | { readonly scenarios: readonly Scenario[] }
  | Excuse
  | { readonly unknown: string };

/** The service under test, and what is known about it. */
export interface Target {
  /** The base address. */
  readonly url: string;
  /** What the run knows about a local service; undefined for a remote one. */
  readonly fixture: Fixture | undefined;
  /** May requests be sent that create something? */
  readonly allowWrites: boolean;
  readonly substitutions: Substitutions;
  readonly keys: Keys;
  readonly budget: Budget;
  planFor(operationId: string, status: number): ScenarioPlan;
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** The shell command that repeats the request, with `$KEY` in place of a key. */
  curl(request: HttpRequest): string;
  close(): Promise<void>;
}
