import type { HttpExchange } from '../../request.js';
import { type Key, isExcuse, keyCarriers, unknownKey, withCarriedKey } from '../keys.js';
import { requestOf, type Sample } from '../sample.js';
import {
  type ScenarioContext,
  exchange,
  exchangeSample,
  harmlessSample,
  headersOf,
  limitHeaders,
  refusedSample,
} from '../scenarioContext.js';
import type { Scenario, ScenarioPlan } from '../target.js';

/** 401: no key, and an unknown one, sent by each security scheme of the contract. */
export const unauthorized = (context: ScenarioContext): ScenarioPlan => {
  const sample = harmlessSample(context);
  if (isExcuse(sample)) return sample;
  const request = requestOf(context.operation, sample);
  const refused = refusedSample(context);
  return {
    scenarios: [
      { how: 'without a key', send: () => exchange(context, request) },
      ...(refused
        ? [
            {
              how: 'without a key and without content',
              send: () => exchange(context, requestOf(context.operation, refused)),
            },
          ]
        : []),
      ...keyCarriers(context.contract).map((carrier) => ({
        how: `with an unknown key in ${carrier.header}`,
        send: () => exchange(context, withCarriedKey(request, carrier, unknownKey())),
      })),
    ],
  };
};

/** 403: a valid key that lacks the scope. */
export const forbidden = (context: ScenarioContext): ScenarioPlan => {
  const key = context.target.keys.lacking(context.operation.scope);
  if (isExcuse(key)) return key;
  const sample = harmlessSample(context);
  if (isExcuse(sample)) return sample;
  const scenario = (how: string, sent: Sample): Scenario => ({
    how,
    present: limitHeaders(context.operation, 403, key),
    send: () => exchangeSample(context, sent, key),
  });
  const how = `with a key of the scope ${key.scope}`;
  const refused = refusedSample(context);
  return {
    scenarios: [scenario(how, sample), ...(refused ? [scenario(`${how} and without content`, refused)] : [])],
  };
};

/** 429: one request more than the key's limit. */
export const rateLimited = (context: ScenarioContext): ScenarioPlan => {
  const keys = context.target.keys.limited();
  if (isExcuse(keys)) return keys;
  const sample = harmlessSample(context);
  if (isExcuse(sample)) return sample;
  return {
    scenarios: [
      {
        how: 'with a key whose limit is used up',
        present: headersOf(context.operation, 429),
        send: async () => useUp(context, sample, await keys.any()),
      },
    ],
  };
};

const useUp = async (context: ScenarioContext, sample: Sample, key: Key): Promise<HttpExchange> => {
  for (let left = key.limit; left > 0; left--) {
    const sent = await exchangeSample(context, sample, key);
    if (sent.answer.status === 429) return sent;
  }
  return exchangeSample(context, sample, key);
};
