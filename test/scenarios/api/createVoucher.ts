import { randomUUID } from 'node:crypto';
import type { OracleInput } from '../../../tools/contract/src/generated/oracle/oracle.js';
import { jsonFields } from '../../../tools/contract/src/json.js';
import type { HttpExchange } from '../../../tools/contract/src/request.js';
import { type Key, isExcuse } from '../../../tools/contract/src/target/keys.js';
import type { OperationHints, ScenarioContext } from '../../../tools/contract/src/target/target.js';
import {
  exchangeSample,
  permittedKey,
  goodSample,
  headersOf,
  limitHeaders,
} from '../../../tools/contract/src/target/scenarioContext.js';
import type { FixtureSites, Scenario, ScenarioPlan } from '../../../tools/contract/src/target/target.js';

/** An order for a site, and the idempotency key of the request. */
interface Order {
  readonly siteId?: number;
  readonly idempotencyKey?: string;
  readonly name?: string;
}

const ask = (
  context: ScenarioContext,
  key: Key,
  { siteId, idempotencyKey, name }: Order,
): Promise<HttpExchange> => {
  const sample = goodSample(context);
  const body = {
    ...jsonFields(JSON.parse(sample.body ?? '{}')),
    ...(siteId !== undefined && { site_id: siteId }),
    ...(name !== undefined && { name }),
  };
  const named = idempotencyKey === undefined ? [] : [['Idempotency-Key', idempotencyKey] as const];
  const headers = [...sample.headers, ...named];
  return exchangeSample(context, { ...sample, headers, body: JSON.stringify(body) }, key);
};

/** A scenario that sends complete orders with a permitted key. */
const ordering = (
  context: ScenarioContext,
  status: number,
  how: string,
  send: (key: Key) => Promise<HttpExchange>,
  present: readonly string[] = [],
): ScenarioPlan => {
  const key = permittedKey(context);
  if (isExcuse(key)) return key;
  const scenario: Scenario = {
    how,
    present: [...limitHeaders(context.operation, status, key), ...present],
    send: () => send(key),
  };
  return { scenarios: [scenario] };
};

/** A scenario that needs a site whose controller behaves in a certain way. */
const onSite = (
  context: ScenarioContext,
  status: number,
  how: string,
  choose: (sites: FixtureSites) => number,
): ScenarioPlan => {
  const { fixture } = context.target;
  if (!fixture) return { excuse: `${status} needs a site ${how.replace(/^on a site /, '')}` };
  return ordering(context, status, how, (key) => ask(context, key, { siteId: choose(fixture.sites) }));
};

/** An id that no site has: ids start at 1. */
const noSite = 2_147_483_647;

export const createVoucherHints: OperationHints = {
  nameField: 'name',
  scenarios: {
    404: (context) => {
      const missing = ordering(context, 404, 'for a site that does not exist', (key) =>
        ask(context, key, { siteId: noSite }),
      );
      const inactive = onSite(context, 404, 'on a site that is not active', ({ inactive: id }) => id);
      return 'scenarios' in missing && 'scenarios' in inactive
        ? { scenarios: [...missing.scenarios, ...inactive.scenarios] }
        : missing;
    },
    409: (context) => {
      const { fixture } = context.target;
      if (!fixture) return { excuse: '409 needs a site whose controller does not answer' };
      const idempotencyKey = randomUUID();
      const siteId = fixture.sites.lost;
      const send = async (key: Key): Promise<HttpExchange> => {
        await ask(context, key, { siteId, idempotencyKey });
        return ask(context, key, { siteId, idempotencyKey });
      };
      const how = 'while the outcome of the first request with the Idempotency-Key is unknown';
      return ordering(context, 409, how, send, headersOf(context.operation, 409));
    },
    422: (context) =>
      ordering(context, 422, 'with an Idempotency-Key that was used with another body', async (key) => {
        const idempotencyKey = randomUUID();
        await ask(context, key, { idempotencyKey });
        return ask(context, key, {
          idempotencyKey,
          name: `${context.target.budget.mark ?? 'Familie'} Huber`,
        });
      }),
    500: (context) => onSite(context, 500, 'on a site whose controller refuses', ({ refusing }) => refusing),
    502: (context) =>
      onSite(context, 502, 'on a site whose controller returns no voucher', (sites) => sites.withoutVoucher),
  },
  moreScenarios: {
    201: (context) => {
      const repeated = ordering(
        context,
        201,
        'with the Idempotency-Key of an earlier request',
        async (key) => {
          const idempotencyKey = randomUUID();
          await ask(context, key, { idempotencyKey });
          return ask(context, key, { idempotencyKey });
        },
        ['Idempotency-Replayed'],
      );
      const other = context.target.keys.unlimited(context.operation.scope);
      if (!('scenarios' in repeated) || !context.target.fixture || isExcuse(other)) return repeated;
      const another: Scenario = {
        how: 'with the Idempotency-Key of a request with another API key',
        absent: ['Idempotency-Replayed'],
        send: async () => {
          const idempotencyKey = randomUUID();
          const key = permittedKey(context);
          if (!isExcuse(key)) await ask(context, key, { idempotencyKey });
          return ask(context, other, { idempotencyKey });
        },
      };
      return { scenarios: [...repeated.scenarios, another] };
    },
  },
  outcomes: (input, { target: { fixture } }) => {
    if (!fixture) return undefined;
    const { healthy, refusing, withoutVoucher, lost } = fixture.sites;
    const siteId = orderOf(input)['site_id'];
    // A key that was used before may belong to another order.
    const repeated = input.headers['Idempotency-Key'] === undefined ? [] : [409, 422];
    if (healthy.some((id) => id === siteId)) return [201, ...repeated];
    if (siteId === refusing || siteId === lost) return [500, ...repeated];
    return siteId === withoutVoucher ? [502, ...repeated] : [404, ...repeated];
  },
  effects: async (input, { status, body }, { target: { fixture } }) => {
    if (!fixture || status !== 201) return undefined;
    const found = await fixture.madeVoucher(String(jsonFields(body)['code']));
    const { site_id: siteId, name, max_uses, expire_minutes, qos } = orderOf(input);
    return {
      wanted: { name, max_uses, expire_minutes, qos, site: fixture.siteNames.get(Number(siteId)) },
      found: found && {
        site: jsonFields(body)['site'],
        // Behind the date of creation.
        name: /^\d{4}-\d\d-\d\d_([^]*)$/.exec(found.name)?.[1],
        max_uses: found.max_uses,
        expire_minutes: found.expire_minutes,
        qos: { down: found.down, up: found.up, quota_mb: found.quota_mb },
      },
    };
  },
};

const orderOf = (input: OracleInput): Record<string, unknown> => jsonFields(input.body);
