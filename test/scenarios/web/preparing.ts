import { randomUUID } from 'node:crypto';
import { isSameJson, jsonFields } from '../../../tools/contract/src/json.js';
import type { HttpExchange } from '../../../tools/contract/src/request.js';
import { isExcuse, withKey, type Key } from '../../../tools/contract/src/target/keys.js';
import type { Administration } from '../local/administration.js';
import { requestOf, type Sample } from '../../../tools/contract/src/target/sample.js';
import { exchange, goodSample, permittedKey } from '../../../tools/contract/src/target/scenarioContext.js';
import type {
  OperationHints,
  ScenarioContext,
  ScenarioPlan,
} from '../../../tools/contract/src/target/target.js';

type Prepare = NonNullable<OperationHints['prepare']>;
export type MakePlan = (context: ScenarioContext) => ScenarioPlan;

/** An id that nothing has. */
export const nothing = 2_147_483_647;

/** Where the example names something by this parameter of the path, the request names a new one of these. */
export const withNew =
  (parameter: string, make: (administration: Administration) => Promise<number | string>): Prepare =>
  async (sample, context) => {
    const { fixture } = context.target;
    if (!fixture || sample.path[parameter] !== goodSample(context).path[parameter]) return sample;
    return inPath(sample, parameter, await make(fixture.administration()));
  };

/**
 * The request is sent by a user of whom no wrong password is counted yet, from an address of which none is: others are
 * limited by now.
 */
export const asNewUser: Prepare = async (sample, { target }) => {
  await target.keys.renew?.(() => Promise.resolve(false));
  return fromNewAddress(sample);
};

/** A service of the run takes it from a proxy on the same machine. The addresses are for documentation (RFC 3849). */
export const fromNewAddress = (sample: Sample): Sample => ({
  ...sample,
  headers: [...sample.headers, ['X-Forwarded-For', newAddress()]],
});

/** Each is in a network of its own, because a whole network of IPv6 is limited together. */
const newAddress = (): string => {
  const [first = '', second = ''] = randomUUID().split('-')[0]?.match(/.{4}/g) ?? [];
  return `2001:db8:${first}:${second}::1`;
};

export const inPath = (sample: Sample, parameter: string, value: number | string): Sample => ({
  ...sample,
  path: { ...sample.path, [parameter]: String(value) },
});

/** The sample with other fields in its body. */
export const withBody = (sample: Sample, fields: Readonly<Record<string, unknown>>): Sample => ({
  ...sample,
  body: JSON.stringify({ ...bodyOf(sample), ...fields }),
});

export const bodyOf = (sample: Sample): Record<string, unknown> =>
  jsonFields(JSON.parse(sample.body ?? '{}'));

/** What a scenario of a service of the run is made of. */
interface Preparation {
  readonly administration: Administration;
  readonly key: Key;
  /** The request of the example. */
  readonly sample: Sample;
  readonly context: ScenarioContext;
}

/** A request that is prepared for one scenario. */
export const scenario =
  (how: string, prepare: (preparation: Preparation) => Promise<Sample> | Sample): MakePlan =>
  (context) =>
    ownScenario(how, async (preparation) => sendAsIs(context, await prepare(preparation), preparation.key))(
      context,
    );

/** A scenario that sends its requests itself. */
export const ownScenario =
  (how: string, send: (preparation: Preparation) => Promise<HttpExchange>): MakePlan =>
  (context) => {
    const { fixture } = context.target;
    if (!fixture) return { excuse: `needs a service of the run, to send a request ${how}` };
    const key = permittedKey(context);
    if (isExcuse(key)) return key;
    const administration = fixture.administration();
    return {
      scenarios: [{ how, send: () => send({ administration, key, sample: goodSample(context), context }) }],
    };
  };

/** A scenario after which something else is looked at; what is wrong there is wrong with it. */
export const followedScenario =
  (
    how: string,
    send: (preparation: Preparation) => Promise<HttpExchange>,
    look: (preparation: Preparation, exchange: HttpExchange) => Promise<readonly string[]>,
  ): MakePlan =>
  (context) => {
    let seen: readonly string[] = [];
    const plan = ownScenario(how, async (preparation) => {
      const sent = await send(preparation);
      seen = await look(preparation, sent);
      return sent;
    })(context);
    return 'scenarios' in plan
      ? { scenarios: plan.scenarios.map((one) => ({ ...one, also: () => seen })) }
      : plan;
  };

/** What another operation answers to somebody, if the contract has it. */
export const askOther = async (
  context: ScenarioContext,
  operationId: string,
  key: Key,
  change: (sample: Sample) => Sample = (sample) => sample,
): Promise<Record<string, unknown> | undefined> => {
  const operation = context.contract.operations.find(({ id }) => id === operationId);
  if (!operation) return undefined;
  const other = { ...context, operation };
  const { answer } = await sendAsIs(other, change(goodSample(other)), key);
  return jsonFields(answer.body);
};

/** What is wrong with fields, in words. */
export const fieldFaults = (
  what: string,
  found: Readonly<Record<string, unknown>> | undefined,
  wanted: Readonly<Record<string, unknown>>,
): string[] =>
  found === undefined
    ? []
    : Object.entries(wanted)
        .filter(([name, value]) => !isSameJson(value, found[name]))
        .map(
          ([name, value]) =>
            `${name} of ${what} is ${JSON.stringify(found[name])} instead of ${JSON.stringify(value)}`,
        );

/** Sends a sample without preparing it once more. */
export const sendAsIs = (context: ScenarioContext, sample: Sample, key: Key): Promise<HttpExchange> =>
  exchange(context, withKey(context.contract, requestOf(context.operation, sample), key));

/** Several plans for one status. */
export const plans =
  (...made: readonly MakePlan[]): MakePlan =>
  (context) => {
    const all = made.map((make) => make(context));
    const scenarios = all.flatMap((plan) => ('scenarios' in plan ? plan.scenarios : []));
    return scenarios.length > 0 ? { scenarios } : (all[0] ?? { unknown: 'there is no scenario' });
  };

/** How a reply shows a text: an empty one is none. */
export const optional = (value: unknown): unknown => (value === '' ? null : value);
