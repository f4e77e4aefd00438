import type { Controller, ControllerVoucher, VoucherOrder } from '../controller.js';
import { sleepUnlessAborted } from '../deadline.js';
import { ControllerError, deadlineError, OutcomeUnknown } from '../errors.js';
import { makeCallQueue } from '../https/queue.js';
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

/** The codes of a new group may not be there at once; they are looked for again after each of these pauses. */
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
    if (!Number.isInteger(count) || count < 1 || count > maxVouchersPerGroup)
      throw new ControllerError(name, { kind: 'bounds', reason: 'count', from: 1, to: maxVouchersPerGroup });
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
    // From here on there are vouchers, so every failure leaves the order open.
    try {
      return await readBack(order, count, signal);
    } catch (error) {
      if (error instanceof OutcomeUnknown && error.code === 'not-read') throw error;
      const isFailure = error instanceof ControllerError || error instanceof OutcomeUnknown;
      throw new OutcomeUnknown(name, { kind: 'not-read', cause: isFailure ? error.failure : undefined });
    }
  };

  // A queue of its own: reading back created vouchers must not wait behind orders that have not started.
  const queue = makeCallQueue(maxOrders);
  return (order, count, signal = new AbortController().signal) =>
    queue.add(
      () => create(order, count, signal),
      signal,
      () => deadlineError(name),
    );
};
