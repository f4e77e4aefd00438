import { isSafe, type HttpExchange } from '../../request.js';
import {
  type Key,
  type WrongKey,
  isExcuse,
  keyCarriers,
  unknownKey,
  withCarriedKey,
  withKey,
} from '../keys.js';
import { requestOf, type Sample } from '../sample.js';
import {
  exchange,
  exchangeSample,
  harmlessRequest,
  harmlessSample,
  headersOf,
  limitHeaders,
  preparedRequest,
  refusedSample,
} from '../scenarioContext.js';
import type { Scenario, ScenarioPlan, ScenarioContext } from '../target.js';
import { inTurn } from '../turns.js';

/** 401: no key, and an unknown one, sent by each security scheme of the contract. */
export const unauthorized = (context: ScenarioContext): ScenarioPlan => {
  const sample = harmlessSample(context);
  if (isExcuse(sample)) return sample;
  if (context.operation.security.length === 0)
    return {
      unknown: `everybody may use ${context.operation.id}: nobody has written down how it gets to 401`,
    };
  const request = requestOf(context.operation, sample);
  const refused = refusedSample(context);
  const wrong = wrongKeys(context);
  return {
    scenarios: [
      { how: 'without a key', send: () => exchange(context, request) },
      ...inTurn(context.contract, context.operation, refused ? [refused] : [], 4).map((sent) => ({
        how: 'without a key and without content',
        send: () => exchange(context, requestOf(context.operation, sent)),
      })),
      // The security stage tries more of them.
      ...inTurn(context.contract, context.operation, wrong, 4 * wrong.length).map(({ what, carry }) => ({
        how: `with ${what}`,
        send: () => exchange(context, carry(request)),
      })),
    ],
  };
};

const wrongKeys = ({ contract, operation, target }: ScenarioContext): readonly WrongKey[] =>
  target.keys.wrong?.(operation) ??
  keyCarriers(contract).map((carrier) => ({
    what: `an unknown key in ${carrier.header}`,
    carry: (request) => withCarriedKey(request, carrier, unknownKey()),
  }));

/** 403: a valid key that lacks the scope, and a request that the page of another site sends. */
export const forbidden = (context: ScenarioContext): ScenarioPlan => {
  // The security stage tries all of them.
  const foreign = fromOtherSites(context).slice(0, 1);
  const key = context.target.keys.lacking(context.operation.scope, context.operation);
  if (isExcuse(key)) return foreign.length > 0 ? { scenarios: foreign } : key;
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
    scenarios: [
      scenario(how, sample),
      ...inTurn(
        context.contract,
        context.operation,
        [...(refused ? [scenario(`${how} and without content`, refused)] : []), ...foreign],
        4,
      ),
    ],
  };
};

/** What browsers say of a request that the page of another site sends, and a client that says nothing true. */
const otherSites: readonly (readonly [name: string, value: string])[] = [
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Site', 'same-site'],
  ['Origin', 'https://elsewhere.example'],
  ['Origin', 'null'],
  ['Origin', ''],
];

/** Complete requests that must be refused for where they come from, by a contract that is for pages of the service. */
export const fromOtherSites = (context: ScenarioContext): Scenario[] => {
  const { operation, target } = context;
  if (!target.sameOriginOnly || isSafe(operation.method)) return [];
  const request = harmlessRequest(context);
  if (isExcuse(request)) return [];
  const { sample, key } = request;
  return [
    ...otherSites.map((header) => ({
      how: `with ${header[0]}: ${header[1]}`,
      send: () => exchangeSample(context, { ...sample, headers: [...sample.headers, header] }, key),
    })),
    {
      how: 'that does not tell where it comes from',
      send: async () => {
        const request = { ...(await preparedRequest(context, sample)), isBare: true };
        return exchange(context, withKey(context.contract, request, key));
      },
    },
  ];
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
