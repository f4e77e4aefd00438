import type { ContractModel } from '../contract.js';
import type { OperationModel } from '../document/operations.js';
import type { OracleInput } from '../generated/oracle/oracle.js';
import type { HttpAnswer, HttpClient, HttpExchange, HttpRequest } from '../request.js';
import type { Budget } from './budget.js';
import type { Excuse, Key, Keys } from './keys.js';
import type { ServiceAdministration } from './serviceTypes.js';
import type { Sample, Substitutions } from './sample.js';

/** The sites of a local service, by the behaviour of their controllers. */
export interface FixtureSites {
  /** Two whose controllers work. */
  readonly healthy: readonly [number, number];
  /** The controller refuses every order. */
  readonly refusing: number;
  /** The controller answers without a voucher. */
  readonly withoutVoucher: number;
  /** The controller answers with a voucher that has no code. */
  readonly withoutCode: number;
  /** The controller answers with a voucher that has no id of its own. */
  readonly withoutId: number;
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

/** A voucher as the service has stored it; times in milliseconds. */
export interface RecordedVoucher {
  readonly code: string;
  readonly name: string;
  readonly max_uses: number;
  readonly expire_minutes: number;
  readonly status: string;
  readonly used_count: number;
  readonly created_at: number;
  readonly expires_at: number | null;
}

/** What a webhook is told. */
export interface StoredNotification {
  readonly count: number;
  readonly site: string;
  readonly source: string;
}

/** What the run knows about a local service, and may do to it. */
export interface Fixture {
  /** Where the service listens, with the base path of the contract. */
  readonly url: string;
  readonly sites: FixtureSites;
  /** The names of the active sites, by id. */
  readonly siteNames: ReadonlyMap<number, string>;
  /** The time zone of the service. Its date is another one there than in UTC. */
  readonly timeZone: string;
  /** The vouchers that the service has recorded for a site, newest first, of equal times the last recorded first. */
  recordedVouchers(siteId: number): Promise<readonly RecordedVoucher[]>;
  /** The last notification that the service has written down. */
  lastNotification(): Promise<StoredNotification | undefined>;
  /** Another service whose database can't be read, and a key for it. */
  broken(): Promise<{ readonly client: HttpClient; readonly key: Key }>;
  /** Another service that is at its limit of requests in flight, and a key for it. */
  busy(): Promise<{ readonly client: HttpClient; readonly key: Key }>;
  /** Prepares what requests need. */
  administration(): ServiceAdministration;
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
  /** The body must be this, or have at least these fields. */
  readonly body?: unknown;
  /** What else is wrong with the answer, in words. */
  also?(answer: HttpAnswer): readonly string[];
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
  /** Of every operation. */
  readonly neverShown?: NeverShown | undefined;
  /** What the contract alone does not say, by operationId, and the folder of the files that say it. */
  readonly hints: Readonly<Record<string, OperationHints>>;
  readonly hintsFolder: string;
  /** Is it a service that is not ours, of which only its contract is known? */
  readonly thirdParty?: boolean;
  /** Why an answer with another status than the one that a scenario leads to is no fault; of a service of others. */
  excuses?(operation: OperationModel, status: number, answer: HttpAnswer): string | undefined;
  /** Is a request that changes something refused when another site's page sends it? */
  readonly sameOriginOnly: boolean;
  /** What JSON answers say of themselves, letter by letter. */
  readonly jsonContentType?: string | undefined;
  /** The base address, with the base path of the contract. */
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

/** What scenarios are built from: an operation, and the target to try it on. */
export interface ScenarioContext {
  readonly contract: ContractModel;
  readonly operation: OperationModel;
  readonly target: Omit<Target, 'planFor'>;
}

/** Fields of replies, such as `200 key.usage[]`, that a run can't see, and why. */
export interface NeverShown {
  readonly fields: RegExp;
  readonly because: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** What the contract does not say about a list. */
export interface ListHints {
  /** The field whose times `from` and `to` restrict. */
  readonly timeField?: string;
  /** Does an item pass a filter? Where nothing is said, it has that value in the field of the same name. */
  readonly filters?: Readonly<Record<string, (item: Fields, value: unknown) => boolean>>;
  /** How items are sorted by each value of `sort`. */
  readonly sorts?: Readonly<Record<string, (one: Fields, other: Fields) => number>>;
  /** The ids of all that is there. */
  allIds?(context: ScenarioContext): Promise<readonly unknown[]>;
}

/** What the contract does not say about an operation. Needed for statuses that depend on state. */
export interface OperationHints {
  readonly list?: ListHints;
  /** Fields that what was created may show otherwise in a list. */
  readonly changing?: readonly string[];
  /** The field of the body that names what is made. */
  readonly nameField?: string;
  /** How many generated requests each part of the operation gets at most, where one takes long. */
  readonly maxSamples?: number;
  /** The request that succeeds, made of the contract's example. */
  request?(sample: Sample, operation: OperationModel): Sample;
  /** Makes what a complete request uses up, such as the user that it removes, and names it in the sample. */
  prepare?(sample: Sample, context: ScenarioContext): Promise<Sample>;
  /** How many requests that sends. */
  readonly preparingRequests?: number;
  /** Why what it creates can't be followed until it is removed. */
  readonly noSequence?: string;
  /** Does what it deletes stay in lists? */
  readonly softDelete?: boolean;
  /** Scenarios for a status that replace those derived from the contract. */
  readonly scenarios?: Readonly<Record<number, (context: ScenarioContext) => ScenarioPlan>>;
  /** More scenarios for a status, beside those derived from the contract. */
  readonly moreScenarios?: Readonly<Record<number, (context: ScenarioContext) => ScenarioPlan>>;
  /** The possible statuses of an accepted request. Only for a service whose state is known. */
  outcomes?(input: OracleInput, context: ScenarioContext): readonly number[] | undefined;
  /** Fields of answers that this operation never has, and why. */
  readonly neverShown?: NeverShown;
  /** The messages of 400 for what is wrong with an accepted request beyond what the contract can say. */
  readonly refusedWith?: readonly string[];
  /** How the answer shows a field of the request, where it is not as it was sent; undefined where that is not to be said. */
  readonly shownAs?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** The effect of the input behind the service, as far as it is visible, for comparison. */
  effects?(
    input: OracleInput,
    answer: HttpAnswer,
    context: ScenarioContext,
    times: ExchangeTimes,
  ): Promise<ObservedEffects | undefined>;
}

/** When a request was sent, and when its answer was there, in milliseconds. */
export interface ExchangeTimes {
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** The wanted and the observed effect, by field name. */
export interface ObservedEffects {
  readonly wanted: Readonly<Record<string, unknown>>;
  readonly found: Readonly<Record<string, unknown>> | undefined;
}
