import type { Contract } from './contract.js';
import type { Options } from './options.js';
import type { Answer, Exchange, Request } from './request.js';
import type { Inside } from './world/inside.js';
import type { Keys } from './world/keys.js';
import { makeOwnWorld } from './world/own/world.js';
import { makeRunningWorld } from './world/running.js';
import type { Substitutions } from './world/sample.js';

/** What must be true of an answer beyond what the contract says of every answer with its status. */
export interface Expectation {
  /** Headers that must be there, although the contract makes them depend on circumstances. */
  readonly present?: readonly string[];
  /** Headers that must not be there. */
  readonly absent?: readonly string[];
  /** One of these must be the message. */
  readonly messages?: readonly string[];
}

/** One way to lead an operation to a status. */
export interface Way extends Expectation {
  /** The circumstances, as part of a sentence: `without a key`. */
  readonly how: string;
  /** Sends all that is needed; the exchange is the last one, whose answer should have the status. */
  send(): Promise<Exchange>;
}

export interface Excuse {
  /** Why something can not be tried here, for a reader of the report. */
  readonly excuse: string;
}

/** How an operation is led to a status, why it can not be here, or that nobody has written down how. */
export type Provocation = { readonly ways: readonly Way[] } | Excuse | { readonly unknown: string };

/** The service under test, and what is known about it. */
export interface World {
  /** The base address. */
  readonly url: string;
  /** What the run knows of a service that it has started itself. */
  readonly inside: Inside | undefined;
  /** May requests be sent that create something? */
  readonly allowWrites: boolean;
  readonly substitutions: Substitutions;
  readonly keys: Keys;
  provoke(operationId: string, status: number): Provocation;
  send(request: Request): Promise<Answer>;
  /** The line for a shell that sends the request again; keys are left out: `$KEY`. */
  curl(request: Request): string;
  close(): Promise<void>;
}

/** The service at `options.url`, or one that is started for this run. */
export const startWorld = (contract: Contract, options: Options): Promise<World> =>
  options.url === undefined
    ? makeOwnWorld(contract)
    : makeRunningWorld(contract, { ...options, url: options.url });
