import { withKey } from '../keys.js';
import { requestOf } from '../sample.js';
import { goodSample, type ScenarioContext } from '../scenarioContext.js';
import type { ScenarioPlan } from '../target.js';
import { limitHeaders } from './headers.js';

/** 500: the same request to a service whose database can't be read. */
export const serverError = (context: ScenarioContext): ScenarioPlan => {
  const { contract, operation, target } = context;
  const { fixture } = target;
  if (!fixture) return { excuse: '500 needs a service whose database fails' };
  return {
    scenarios: [
      {
        how: 'while the database can not be read',
        // The key of that service has a limit, too.
        present: limitHeaders(operation, 500, { text: () => '', scope: '', limit: 1 }),
        send: async () => {
          const { client, key } = await fixture.broken();
          const request = withKey(contract, requestOf(operation, goodSample(context)), key);
          return { request, answer: await client.send(request) };
        },
      },
    ],
  };
};

/** 503: the same request to a service at its limit of requests in flight. */
export const overloaded = (context: ScenarioContext): ScenarioPlan => {
  const { contract, operation, target } = context;
  const { fixture } = target;
  if (!fixture) return { excuse: '503 needs a service that has too much to do' };
  return {
    scenarios: [
      {
        how: 'while as many requests are in flight as it takes',
        present: ['Retry-After'],
        send: async () => {
          const { client, key } = await fixture.busy();
          const request = withKey(contract, requestOf(operation, goodSample(context)), key);
          return { request, answer: await client.send(request) };
        },
      },
    ],
  };
};
