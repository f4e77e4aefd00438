import { jsonFields } from '../../../tools/contract/src/json.js';
import type { HttpExchange } from '../../../tools/contract/src/request.js';
import { type Key, isExcuse } from '../../../tools/contract/src/target/keys.js';
import {
  exchangeSample,
  goodSample,
  limitHeaders,
  permittedKey,
} from '../../../tools/contract/src/target/scenarioContext.js';
import type {
  Expectation,
  Scenario,
  ScenarioContext,
  ScenarioPlan,
} from '../../../tools/contract/src/target/target.js';

/** An order for a site, and the idempotency key of the request. */
interface Order {
  readonly siteId?: number;
  readonly idempotencyKey?: string;
  readonly name?: string;
  /** More fields of the body. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Are the fields sent in the opposite order? */
  readonly isReversed?: boolean;
}

export const ask = (
  context: ScenarioContext,
  key: Key,
  { siteId, idempotencyKey, name, fields = {}, isReversed = false }: Order,
): Promise<HttpExchange> => {
  const sample = goodSample(context);
  const body = {
    ...jsonFields(JSON.parse(sample.body ?? '{}')),
    ...(siteId !== undefined && { site_id: siteId }),
    ...(name !== undefined && { name }),
    ...fields,
  };
  const sent = isReversed ? Object.fromEntries(Object.entries(body).reverse()) : body;
  const named = idempotencyKey === undefined ? [] : [['Idempotency-Key', idempotencyKey] as const];
  const headers = [...sample.headers, ...named];
  return exchangeSample(context, { ...sample, headers, body: JSON.stringify(sent) }, key);
};

/** A scenario that sends complete orders with a permitted key. */
export const ordering = (
  context: ScenarioContext,
  status: number,
  how: string,
  send: (key: Key) => Promise<HttpExchange>,
  { present = [], ...expectation }: Expectation = {},
): ScenarioPlan => {
  const key = permittedKey(context);
  if (isExcuse(key)) return key;
  const scenario: Scenario = {
    how,
    ...expectation,
    present: [...limitHeaders(context.operation, status, key), ...present],
    send: () => send(key),
  };
  return { scenarios: [scenario] };
};
