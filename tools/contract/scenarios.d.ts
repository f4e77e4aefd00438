/**
 * What a contract does not say of its operations, for `voucherd contract --scenarios file.mjs`. The module's default
 * export is a `Scenarios`:
 *
 * ```js
 * // @ts-check
 * /** @type {import("voucherd/tools/contract/scenarios").Scenarios} *\/
 * export default { getPet: { request: { path: { petId: 7 } } } };
 * ```
 */
export type Scenarios = Readonly<Record<string, OperationScenarios>>;

/** Of one operation, by its operationId; `GET /pets` for one without. */
export interface OperationScenarios {
  /** Values of a request that succeeds. What is not given is that of the contract's example. */
  readonly request?: RequestValues;
  /** Makes what a complete request uses up, before each, and returns the values that name it. */
  prepare?(service: ServiceClient): Promise<RequestValues> | RequestValues;
  /** How the operation is led to a status; a text says why that is not possible. */
  readonly statuses?: Readonly<Record<number, StatusScenario | string>>;
  /** How many generated requests each part of the operation gets at most. */
  readonly maxSamples?: number;
  /** Of an operation that creates something: why it is not followed until it is removed. */
  readonly noSequence?: string;
  /** Of one that deletes: does what it deletes stay in lists? */
  readonly softDelete?: boolean;
  /** Fields that answers do not show as they were sent. */
  readonly shownOtherwise?: readonly string[];
  /** May a request that fits the contract be refused all the same? */
  readonly hasOtherRules?: boolean;
}

export interface StatusScenario {
  /** A credential among them is sent instead of that of the run. */
  readonly request?: RequestValues;
  prepare?(service: ServiceClient): Promise<RequestValues> | RequestValues;
  /** What the answer must have beside what the contract says. */
  readonly expected?: { readonly headers?: readonly string[]; readonly body?: unknown };
}

export interface RequestValues {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Written as JSON, unless it is a text of another media type. */
  readonly body?: unknown;
}

/**
 * The service under test. Requests have the credentials of the run, unless `headers` or the query have one, and count against
 * `--max-requests`.
 */
export interface ServiceClient {
  send(request: {
    /** `GET` without one. Others need `--allow-writes`. */
    readonly method?: string;
    /** Below the base address, with the query: `/pets?limit=1`. */
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** Sent as JSON; a text as it is, where `headers` has a `Content-Type`. */
    readonly body?: unknown;
  }): Promise<ServiceAnswer>;
}

export interface ServiceAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The text parsed as JSON; undefined when it is not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- scenarios of JavaScript look into it
  readonly body: any;
}
