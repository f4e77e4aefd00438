import { randomUUID } from 'node:crypto';
import type { HttpExchange } from '../../../tools/contract/src/request.js';
import { type Key } from '../../../tools/contract/src/target/keys.js';
import { headersOf } from '../../../tools/contract/src/target/scenarioContext.js';
import type {
  FixtureSites,
  OperationHints,
  ScenarioContext,
  ScenarioPlan,
} from '../../../tools/contract/src/target/target.js';
import { observeCreation, orderOf } from './createdVoucher.js';
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
    500: (context) => onSite(context, 500, 'on a site whose controller refuses', ({ refusing }) => refusing),
    502: (context) =>
      onSite(context, 502, 'on a site whose controller returns no voucher', (sites) => sites.withoutVoucher),
  },
  moreScenarios: { 201: idempotentOrders },
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
  effects: observeCreation,
};
