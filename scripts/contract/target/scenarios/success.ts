import { isExcuse } from '../excuse.js';
import type { Key } from '../keys.js';
import { exchangeSample, forbiddenToSend, goodSample, type ScenarioContext } from '../scenarioContext.js';
import type { Scenario, ScenarioPlan } from '../target.js';
import { headersOf, limitHeaders } from './headers.js';

/** 2xx: the contract's own example. */
export const successful = (context: ScenarioContext, status: number): ScenarioPlan => {
  const { operation, target } = context;
  const excuse = forbiddenToSend(context);
  if (excuse) return excuse;
  const key = target.keys.permitting(operation.scope);
  if (isExcuse(key)) return key;
  const sample = goodSample(context);
  const scenario = (how: string, used: Key): Scenario => ({
    how,
    present: limitHeaders(operation, status, used),
    absent: headersOf(operation, status).filter((name) => used.limit === 0 && /^ratelimit-/i.test(name)),
    send: () => exchangeSample(context, sample, used),
  });
  const unlimited = target.keys.unlimited(operation.scope);
  return {
    scenarios: [
      scenario('with the request of the example', key),
      ...(isExcuse(unlimited) ? [] : [scenario('with a key that has no limit', unlimited)]),
    ],
  };
};

/** 304: the client already has the current ETag. */
export const notModified = (context: ScenarioContext): ScenarioPlan => {
  const { operation, target } = context;
  const condition = operation.parameters.find(({ name }) => /^if-none-match$/i.test(name));
  if (!condition) return { unknown: 'the operation has no parameter If-None-Match' };
  const key = target.keys.permitting(operation.scope);
  if (isExcuse(key)) return key;
  const sample = goodSample(context);
  const matching = (how: string, valueFor: (etag: string) => string): Scenario => ({
    how,
    present: limitHeaders(operation, 304, key),
    send: async () => {
      const { answer } = await exchangeSample(context, sample, key);
      const value = valueFor(answer.headers.etag ?? '');
      return exchangeSample(
        context,
        { ...sample, headers: [...sample.headers, [condition.name, value]] },
        key,
      );
    },
  });
  return {
    scenarios: [
      matching('with the ETag of the last answer', (etag) => etag),
      matching('with that ETag among others, as a weak one', (etag) => `"other", W/${etag}`),
    ],
  };
};
