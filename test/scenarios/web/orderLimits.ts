import { runActor, type Administration } from '../local/administration.js';
import { draftAudit } from '../../../src/audit/audit.js';
import { nodeSystem } from '../../../src/lib/system.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { bodyOf, nothing, scenario, withBody, withNew } from './preparing.js';

const audit = draftAudit(runActor, 'limit.add', 0);

const limit = {
  ...{ role: 'staff', allowsCustom: true, maxExpireMinutes: null, maxUses: null, maxCount: null },
  ...{ maxPerDay: null, requiresName: false },
};

/** A site that nobody orders for, without a rule. */
const addQuietSite = async ({ tables }: Administration): Promise<number> => {
  const [controller] = await tables.controllers.all();
  const site = { name: 'Still', active: false, controllerId: controller?.id ?? 0, controllerSite: null };
  return tables.sites.add(site, nodeSystem.now());
};

const addLimit = async (administration: Administration): Promise<number> => {
  const siteId = await addQuietSite(administration);
  return Number(await administration.tables.orderLimits.add({ ...limit, siteId }, audit));
};

/** Adds a site at which a role may order nothing today. */
export const addClosedSite = async (
  { tables }: Administration,
  role: 'staff' | 'kiosk' | 'guest',
): Promise<number> => {
  const site = (await tables.sites.all()).find(({ id }) => id === 1);
  const closed = { name: 'Heute nichts', active: true, controllerId: site?.controllerId ?? 0 };
  const siteId = await tables.sites.add({ ...closed, controllerSite: null }, nodeSystem.now());
  await tables.orderLimits.add({ ...limit, role, maxPerDay: 0, siteId }, audit);
  return siteId;
};

/** A rule must not get in the way of other orders of the run, so it is for a site of its own. */
const atQuietSite: NonNullable<OperationHints['prepare']> = async (sample, { target: { fixture } }) => {
  // A body that is too long has to stay so.
  if (!fixture || sample.body === undefined || sample.body.length > 1000) return sample;
  const { siteId } = bodyOf(sample);
  const administration = fixture.administration();
  const known = (await administration.tables.sites.all()).some(({ id }) => id === siteId);
  if (siteId !== null && !known) return sample;
  return withBody(sample, { siteId: await addQuietSite(administration) });
};

const newLimit = withNew('limitId', addLimit);

/** A kiosk says itself whether it asks for a name. */
const refusedWith = ['name-set-at-kiosk'];

const unknownSite = scenario('with a site that does not exist', ({ sample }) =>
  withBody(sample, { siteId: nothing }),
);

export const createOrderLimitHints: OperationHints = {
  refusedWith,
  prepare: atQuietSite,
  scenarios: { 409: unknownSite },
};

export const updateOrderLimitHints: OperationHints = {
  refusedWith,
  prepare: async (sample, context) => newLimit(await atQuietSite(sample, context), context),
  scenarios: {
    409: scenario('with a site that does not exist', async ({ sample, context }) =>
      withBody(await newLimit(sample, context), { siteId: nothing }),
    ),
  },
};

export const deleteOrderLimitHints: OperationHints = { prepare: newLimit };
