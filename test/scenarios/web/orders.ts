import { hash, randomUUID } from 'node:crypto';
import { newId, nodeSystem } from '../../../src/lib/system.js';
import type { PlacedOrder } from '../../../src/vouchers/orderTable.js';
import { jsonFields, jsonList } from '../../../tools/contract/src/json.js';
import { isExcuse, type Key } from '../../../tools/contract/src/target/keys.js';
import type { Administration } from '../local/administration.js';
import { failingName } from '../local/webData.js';
import { addUser, beginSession } from '../local/webSessions.js';
import { addClosedSite } from './orderLimits.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { forEverybodyHints } from './session.js';
import {
  askOther,
  fieldFaults,
  followedScenario,
  inPath,
  nothing,
  ownScenario,
  plans,
  scenario,
  sendAsIs,
  withBody,
  withNew,
} from './preparing.js';

/** Adds a site whose controller does not keep a limit. */
const addLackingSite = async ({ tables }: Administration, lacks: string): Promise<unknown> => {
  const name = `Ohne ${lacks}`;
  const settings = { latencyMs: 0, fault: 'none', lacks: [lacks] };
  const now = nodeSystem.now();
  const controllerId = await tables.controllers.add({ name, kind: 'simulated', settings }, now);
  return tables.sites.add({ name, active: true, controllerId, controllerSite: null }, now);
};

export const getDeskHints: OperationHints = {
  ...forEverybodyHints,
  moreScenarios: {
    200: ownScenario('with sites whose controllers do not keep every limit', async (preparation) => {
      const { administration, sample, context } = preparation;
      for (const limit of ['rates', 'uses']) await addLackingSite(administration, limit);
      const key = context.target.keys.permitting('admin');
      if (isExcuse(key)) throw new Error(key.excuse);
      return sendAsIs(context, sample, key);
    }),
  },
};

const newOrder = withNew('orderId', () => Promise.resolve(randomUUID()));

const limits = { maxUses: 1, expireMinutes: 480, down: 0, up: 0, quotaMb: 0 };

/** Stores an order of whoever has the key, of which only some was made. Returns its id. */
const addOrder = async (administration: Administration, key: Key): Promise<string> => {
  const session = await administration.database
    .read('sessions')
    .where({ id: hash('sha256', key.text(), 'hex') })
    .first<{ user_id: number } | undefined>('user_id');
  return addOrderOf(administration, { userId: session?.user_id ?? 0, kioskId: null });
};

/** Stores an order that was just placed at a kiosk. Returns its id. */
export const addKioskOrder = (administration: Administration, kioskId: number): Promise<string> =>
  addOrderOf(administration, { userId: null, kioskId });

const addOrderOf = async (
  { tables }: Administration,
  owner: { readonly userId: number | null; readonly kioskId: number | null },
): Promise<string> => {
  const order = {
    ...{ id: randomUUID(), siteId: 1, name: 'Zimmer 12', count: 2, createdAt: nodeSystem.now() },
    ...{ ...owner, fingerprint: '', made: 0, state: 'open' as const },
    reason: null,
  };
  const { id, siteId, name, count, createdAt } = order;
  const intent = {
    ...limits,
    id,
    siteId,
    name,
    count,
    createdAt,
    profileId: 1,
    ...{ down: 20_000, up: 5000, quotaMb: 0 },
    origin: 'desk' as const,
    actorName: 'Anna',
  };
  await tables.intents.begin({ intent, order: { ...order, allowance: null } });
  await recordVoucher(tables, id, siteId, { reason: { code: 'only-some', values: { made: 1, count: 2 } } });
  return id;
};

/** Records a voucher that exists on no controller. */
const recordVoucher = async (
  tables: Administration['tables'],
  intentId: string,
  siteId: number,
  order?: Pick<PlacedOrder, 'reason'>,
  { count = 1, lastsMs = 86_400_000, name = 'Zimmer 12' } = {},
): Promise<void> => {
  const site = (await tables.sites.all()).find(({ id }) => id === siteId);
  const createdAt = nodeSystem.now();
  await tables.vouchers.record({
    intentId,
    siteId,
    controllerId: site?.controllerId ?? 0,
    ...{ source: 'Anna', actorKind: 'user', actorName: 'Anna' },
    profileId: 1,
    ...{ down: 20_000, up: 5000, quotaMb: 0 },
    vouchers: Array.from({ length: count }, () => ({
      ...{ code: newId(nodeSystem), name: `2026-11-14_${name}`, maxUses: 1, expireMinutes: 480 },
      ...{ controllerVoucherId: newId(nodeSystem), status: 'valid' as const, usedCount: 0, createdAt },
      expiresAt: createdAt + lastsMs,
    })),
    notification: {
      ...{ type: 'voucher.created', id: newId(nodeSystem), count: 1 },
      ...{ site: 'Hauptgebäude', source: 'Anna', createdAt },
    },
    order,
  });
};

/** Records a voucher with this name, and returns its id. */
export const addVoucherCalled = async (tables: Administration['tables'], name: string): Promise<number> => {
  const intentId = newId(nodeSystem);
  await recordVoucher(tables, intentId, 1, undefined, { name });
  const [voucher] = await tables.vouchers.ofIntent(intentId);
  return voucher?.id ?? 0;
};

/** Records an order of two vouchers. */
export const addOrderOfTwo = async (tables: Administration['tables'], siteId: number): Promise<void> => {
  await recordVoucher(tables, newId(nodeSystem), siteId, undefined, { count: 2 });
};

/** Records a voucher, and returns its id. */
export const addVoucher = async (
  tables: Administration['tables'],
  siteId: number,
  lastsMs?: number,
): Promise<number> => {
  const intentId = newId(nodeSystem);
  await recordVoucher(tables, intentId, siteId, undefined, lastsMs === undefined ? {} : { lastsMs });
  const [voucher] = await tables.vouchers.ofIntent(intentId);
  return voucher?.id ?? 0;
};

export const listOrdersHints: OperationHints = {
  moreScenarios: {
    200: ownScenario('of somebody who has orders', async ({ administration, sample, key, context }) => {
      await addOrder(administration, key);
      return sendAsIs(context, sample, key);
    }),
  },
  neverShown: { fields: /^200 orders\[\]\.vouchers\[\]/, because: 'a list of orders is without vouchers' },
};

export const getOrderHints: OperationHints = {
  scenarios: {
    ...forEverybodyHints.scenarios,
    200: ownScenario("with one's own order", async ({ administration, sample, key, context }) =>
      sendAsIs(context, inPath(sample, 'orderId', await addOrder(administration, key)), key),
    ),
    404: scenario('with an order that does not exist', ({ sample }) =>
      inPath(sample, 'orderId', randomUUID()),
    ),
  },
};

export const createOrderHints: OperationHints = {
  refusedWith: ['limits-required', 'name-invalid', 'names-invalid'],
  prepare: newOrder,
  // An order of many makes as many vouchers.
  maxSamples: 20,
  moreScenarios: {
    200: ownScenario('to a controller that refuses', async ({ sample, context }) => {
      const key = context.target.keys.permitting('admin');
      if (isExcuse(key)) throw new Error(key.excuse);
      const siteId = context.target.fixture?.sites.refusing;
      return sendAsIs(context, withBody(await newOrder(sample, context), { siteId }), key);
    }),
  },
  scenarios: {
    404: scenario('for a site that does not exist', async ({ sample, context }) =>
      withBody(await newOrder(sample, context), { siteId: nothing }),
    ),
    409: plans(
      ownScenario('with another name for the same order', async ({ sample, key, context }) => {
        const order = await newOrder(sample, context);
        await sendAsIs(context, order, key);
        return sendAsIs(context, withBody(order, { name: 'Zimmer 13' }), key);
      }),
      scenario('with a profile that does not exist', async ({ sample, context }) =>
        withBody(await newOrder(sample, context), { profileId: nothing }),
      ),
      ownScenario('of more than a user may order in a day', async ({ administration, sample, context }) => {
        const siteId = await addClosedSite(administration, 'staff');
        const token = await beginSession(administration, await addUser(administration, 'staff', [siteId]));
        const order = withBody(await newOrder(sample, context), { siteId });
        return sendAsIs(context, order, { text: () => token, scope: 'staff', limit: 0 });
      }),
    ),
  },
};

export const revokeVouchersHints: OperationHints = {
  refusedWith: ['selection-invalid'],
  moreScenarios: {
    200: plans(
      ownScenario('on a controller that does not answer', async ({ administration, sample, context }) => {
        const key = context.target.keys.permitting('admin');
        if (isExcuse(key)) throw new Error(key.excuse);
        const { tables } = administration;
        const site = (await tables.sites.all()).find(({ name }) => name === failingName);
        const voucherIds = [await addVoucher(tables, site?.id ?? 0)];
        return sendAsIs(context, withBody(sample, { voucherIds }), key);
      }),
      followedScenario(
        'and shows it as revoked',
        async ({ administration, sample, key, context }) => {
          const voucherIds = [await addVoucher(administration.tables, 1)];
          return sendAsIs(context, withBody(sample, { voucherIds }), key);
        },
        async ({ key, context }, { answer }) => {
          const [id] = jsonList(jsonFields(answer.body)['revoked']);
          if (typeof id !== 'number') return ['the voucher was not revoked'];
          const shown = await askOther(context, 'getVoucher', key, (given) => inPath(given, 'voucherId', id));
          return fieldFaults('a revoked voucher', shown, { id, state: 'revoked' });
        },
      ),
    ),
  },
  scenarios: {
    404: scenario('with a voucher that does not exist', ({ sample }) =>
      withBody(sample, { voucherIds: [nothing] }),
    ),
  },
};
