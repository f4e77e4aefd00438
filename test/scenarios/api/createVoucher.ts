import { randomUUID } from 'node:crypto';
import { jsonFields } from '../../../tools/contract/src/json.js';
import type { HttpAnswer, HttpExchange } from '../../../tools/contract/src/request.js';
import { type Key } from '../../../tools/contract/src/target/keys.js';
import { headersOf } from '../../../tools/contract/src/target/scenarioContext.js';
import type {
  FixtureSites,
  OperationHints,
  ScenarioContext,
  ScenarioPlan,
} from '../../../tools/contract/src/target/target.js';
import { observeCreation, orderOf } from './createdVoucher.js';
import { plans } from '../web/preparing.js';
import { idempotencyMismatches, idempotentOrders } from './idempotency.js';
import { ask, ordering } from './ordering.js';

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

/** The message is the text of the exception, so what fails otherwise is told otherwise. */
const differentFailures = (context: ScenarioContext): ScenarioPlan => {
  const refused = onSite(context, 500, 'on a site whose controller refuses', ({ refusing }) => refusing);
  if (!('scenarios' in refused)) return refused;
  let first: unknown;
  const other = onSite(
    context,
    500,
    'on a site whose controller is gone before it answers',
    ({ lost }) => lost,
  );
  const noted = refused.scenarios.map((scenario) => ({
    ...scenario,
    also: ({ body }: HttpAnswer) => {
      first = jsonFields(body)['message'];
      return [];
    },
  }));
  const compared = ('scenarios' in other ? other.scenarios : []).map((scenario) => ({
    ...scenario,
    also: ({ body }: HttpAnswer) =>
      jsonFields(body)['message'] === first ? ['two failures of different kinds have the same message'] : [],
  }));
  return { scenarios: [...noted, ...compared] };
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
      return ordering(context, 409, how, send, { present: headersOf(context.operation, 409) });
    },
    422: idempotencyMismatches,
    500: differentFailures,
    502: plans(
      (context) =>
        onSite(
          context,
          502,
          'on a site whose controller returns no voucher',
          (sites) => sites.withoutVoucher,
        ),
      (context) =>
        onSite(context, 502, 'on a site whose controller returns no code', (sites) => sites.withoutCode),
    ),
  },
  moreScenarios: {
    201: plans(idempotentOrders, (context) =>
      onSite(context, 201, 'on a site whose controller returns no id', (sites) => sites.withoutId),
    ),
  },
  outcomes: (input, { target: { fixture } }) => {
    if (!fixture) return undefined;
    const { refusing, withoutVoucher, withoutCode, lost } = fixture.sites;
    const siteId = orderOf(input)['site_id'];
    // A key that was used before may belong to another order.
    const repeated = input.headers['Idempotency-Key'] === undefined ? [] : [409, 422];
    if (siteId === refusing || siteId === lost) return [500, ...repeated];
    if (siteId === withoutVoucher || siteId === withoutCode) return [502, ...repeated];
    return fixture.siteNames.has(Number(siteId)) ? [201, ...repeated] : [404, ...repeated];
  },
  effects: observeCreation,
};
