import type { HttpAnswer, HttpExchange, HttpRequest } from '../request.js';
import type { Fixture } from './fixture.js';
import type { Keys } from './keys.js';
import type { Substitutions } from './sample.js';
import type { Excuse } from './excuse.js';

/** What must be true of an answer beyond what the contract says of every answer with its status. */
export interface Expectation {
  /** Headers that must be there, although the contract makes them depend on circumstances. */
  readonly present?: readonly string[];
  /** Headers that must not be there. */
  readonly absent?: readonly string[];
  /** One of these must be the message. */
  readonly messages?: readonly string[];
}

/** One way to bring an operation to a status. */
export interface Scenario extends Expectation {
  /** The circumstances, as part of a sentence: `without a key`. */
  readonly how: string;
  /** Sends all that is needed; the exchange is the last one, whose answer should have the status. */
  send(): Promise<HttpExchange>;
}

/** How an operation is led to a status, why it can not be here, or that nobody has written down how. */
export type ScenarioPlan =
  { readonly scenarios: readonly Scenario[] } | Excuse | { readonly unknown: string };

/** The service under test, and what is known about it. */
export interface Target {
  /** The base address. */
  readonly url: string;
  /** What the run knows of a service that it has started itself. */
  readonly fixture: Fixture | undefined;
  /** May requests be sent that create something? */
  readonly allowWrites: boolean;
  readonly substitutions: Substitutions;
  readonly keys: Keys;
  planFor(operationId: string, status: number): ScenarioPlan;
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** The line for a shell that sends the request again; keys are left out: `$KEY`. */
  curl(request: HttpRequest): string;
  close(): Promise<void>;
}
