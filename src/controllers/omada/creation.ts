import type { Controller, ControllerVoucher, VoucherOrder } from '../controller.js';
import { assertCount, queueOrders, readCreated } from '../creation.js';
import { sleepUnlessAborted } from '../deadline.js';
import { OutcomeUnknown } from '../errors.js';
import { assertLimitsKept } from '../keptLimits.js';
import { toOrderSuffix } from '../orderParts.js';
import { duplicateNameCode } from './answer.js';
import type { OmadaGroups } from './groups.js';
import type { OmadaApi } from './openApi.js';
import type { OmadaSites } from './sites.js';
import { keptLimits, maxVouchersPerGroup, toGroupOrder } from './voucher.js';

interface OmadaCreateOptions {
  readonly api: OmadaApi;
  readonly groups: OmadaGroups;
  readonly sites: OmadaSites;
  readonly name: string;
  /** How many orders may be in flight. */
  readonly maxOrders: number;
}

/**
 * The codes of a new group may not be there at once; they are looked for again after each of these pauses.
 */
const pausesMs = [100, 250, 500, 1000, 2000];

export const makeOmadaFind =
  ({ groups, sites }: Pick<OmadaCreateOptions, 'groups' | 'sites'>) =>
  (order: VoucherOrder, signal: AbortSignal | undefined): Promise<readonly ControllerVoucher[]> =>
    sites.use(
      order.controllerSite,
      async (site) => {
        const group = await groups.find(site, toOrderSuffix(order), signal);
        return group ? groups.vouchersOf(site, group, signal) : [];
      },
      signal,
    );

export const makeOmadaCreate = (options: OmadaCreateOptions): Controller['create'] => {
  const { api, sites, name, maxOrders } = options;
  const find = makeOmadaFind(options);

  /** Those that the controller shows; fewer than ordered when not all become visible. */
  const readBack = async (
    order: VoucherOrder,
    count: number,
    signal: AbortSignal | undefined,
  ): Promise<readonly ControllerVoucher[]> => {
    for (const pauseMs of [...pausesMs, undefined]) {
      const found = await find(order, signal);
      const isComplete = found.length >= count && found.every(({ code }) => code !== undefined);
      if (isComplete || pauseMs === undefined) return found;
      if (!(await sleepUnlessAborted(pauseMs, signal)))
        throw new OutcomeUnknown(name, { kind: 'not-read', cause: 'not-listed' });
    }
    return [];
  };

  const create: Controller['create'] = async (order, count, signal) => {
    assertLimitsKept({ keptLimits }, order);
    assertCount(name, count, maxVouchersPerGroup);
    const json = toGroupOrder(order, count);
    await sites.use(
      order.controllerSite,
      async (site) => {
        const path = `${site}/hotspot/voucher-groups`;
        const answer = await api.send({ method: 'POST', path, json, signal });
        // The group is there already: of an earlier attempt, or of another process.
        if (answer.errorCode !== duplicateNameCode) api.unwrap(answer);
      },
      signal,
    );
    return readCreated(name, () => readBack(order, count, signal));
  };

  return queueOrders(create, { name, maxOrders });
};
