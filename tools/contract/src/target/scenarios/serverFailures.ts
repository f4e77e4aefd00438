import { withKey } from '../keys.js';
import { requestOf } from '../sample.js';
import { goodSample, limitHeaders } from '../scenarioContext.js';
import type { Fixture, ScenarioPlan, ScenarioContext } from '../target.js';

/** The same request to another service, which fails. */
const onOther = (
  context: ScenarioContext,
  how: string,
  present: readonly string[],
  other: (fixture: Fixture) => ReturnType<Fixture['broken']>,
): ScenarioPlan => {
  const { contract, operation, target } = context;
  const { fixture } = target;
  if (!fixture) return { excuse: `needs a service of the run, to send requests ${how}` };
  const send = async () => {
    const { client, key } = await other(fixture);
    const request = withKey(contract, requestOf(operation, goodSample(context)), key);
    return { request, answer: await client.send(request) };
  };
  return { scenarios: [{ how, present, send }] };
};

/** 500: while its database can't be read. The key of that service has a limit, too. */
export const serverError = (context: ScenarioContext): ScenarioPlan =>
  onOther(
    context,
    'while the database can not be read',
    limitHeaders(context.operation, 500, { limit: 1 }),
    ({ broken }) => broken(),
  );

/** 503: while it is at its limit of requests in flight. */
export const overloaded = (context: ScenarioContext): ScenarioPlan =>
  onOther(context, 'while as many requests are in flight as it takes', ['Retry-After'], ({ busy }) => busy());
