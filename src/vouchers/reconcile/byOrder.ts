import type { Controller, ControllerVoucher } from '../../controllers/controller.js';
import { awaitOutcome, makeDeadline } from '../../controllers/deadline.js';
import { ControllerError } from '../../controllers/errors.js';
import { isTemporary } from '../../controllers/failure.js';
import { splitOrder, type OrderPart } from '../../controllers/orderParts.js';
import type { ControllerSite, ControllerWithSites } from '../../controllers/siteDirectory.js';
import type { Log } from '../../log/log.js';
import { SecretError, type Secrets } from '../../secrets/encryption.js';
import type { System } from '../../lib/system.js';
import { makeNoteProgress, openCodes, toVoucherOrder } from '../controllerOrder.js';
import type { Intent } from '../intentTable.js';
import { hasCode, type CodedVoucher } from '../record.js';
import type { VoucherTables } from '../voucherTables.js';

/** A controller site whose intents are to be settled. */
export interface SettleRequest {
  readonly controllerWithSites: ControllerWithSites;
  readonly controller: Controller;
  readonly controllerSite: ControllerSite;
  readonly signal: AbortSignal;
}

/** An open intent, and what can become of it. */
export interface Settlement {
  readonly intent: Intent;
  /** Its client was told that there is no voucher. */
  readonly isVoid: boolean;
  isMissingTooLong(): boolean;
  /** Records vouchers for it. */
  adopt(vouchers: readonly CodedVoucher[]): Promise<unknown>;
  /** Revokes vouchers, which settles it. */
  revoke(vouchers: readonly ControllerVoucher[]): Promise<boolean>;
  /** Gives it up. */
  remove(): Promise<void>;
}

interface SettleByOrderDeps {
  readonly tables: Pick<VoucherTables, 'intents'>;
  readonly system: Pick<System, 'now'>;
  readonly log: Log;
  /** How long one part of an order may take. */
  readonly deadlineMs: number;
  secrets(): Secrets;
}

/** How long the rest of an order is made. Later its guests are gone, and it ends with what there is. */
const finishingMs = 3_600_000;

/**
 * Settles an intent whose vouchers the controller finds by its codes or its reference: nothing is compared,
 * and no other order can get them. As it may be repeated, the rest of an order of many is made.
 */
export const makeSettleByOrder = (deps: SettleByOrderDeps) => {
  const { system, log, deadlineMs, secrets } = deps;
  const noteProgress = makeNoteProgress(deps);

  /**
   * Undefined as long as nobody can tell, because the secret key is another one: the intent stays until it is
   * back.
   */
  const findParts = (
    { controller, controllerSite }: SettleRequest,
    intent: Intent,
  ): readonly OrderPart[] | undefined => {
    try {
      const order = toVoucherOrder(intent, controllerSite.id, openCodes(secrets, intent));
      return splitOrder(controller, order, intent.count);
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      log.warn({ err: error, intent: intent.id }, 'the codes of an order can not be opened; will retry');
      return undefined;
    }
  };

  /** Makes what is missing of a part. */
  const makeRest = async (
    { controller, signal }: SettleRequest,
    { order, count }: OrderPart,
  ): Promise<readonly ControllerVoucher[] | 'refused' | 'later'> => {
    const deadline = makeDeadline(deadlineMs, signal);
    try {
      return await awaitOutcome(controller.create(order, count, deadline.signal), deadline.signal);
    } catch (error) {
      signal.throwIfAborted();
      log.warn({ err: error, order: order.reference }, 'the rest of an order not made');
      return error instanceof ControllerError && !isTemporary(error.failure) ? 'refused' : 'later';
    } finally {
      deadline.end();
    }
  };

  /**
   * The vouchers of an intent, of an order of many also those that were missing. Undefined as long as the
   * controller can not make them now.
   */
  const findOrMake = async (
    request: SettleRequest,
    { intent, isVoid }: Settlement,
    parts: readonly OrderPart[],
  ): Promise<readonly ControllerVoucher[] | undefined> => {
    const { controller, signal } = request;
    const isYoung = Math.abs(system.now() - intent.createdAt) < finishingMs;
    const found: (readonly ControllerVoucher[])[] = [];
    for (const { order, count } of parts) found.push((await controller.find?.(order, count, signal)) ?? []);
    // Whoever placed an order that never reached its controller was refused, and may have ordered again.
    const wasAsked = intent.ended !== undefined || found.some(({ length }) => length > 0);
    let makesRest = wasAsked && intent.origin !== 'api' && intent.count > 1 && !isVoid && isYoung;
    const all: ControllerVoucher[] = [];
    for (const [index, part] of parts.entries()) {
      let vouchers = found[index] ?? [];
      if (makesRest && vouchers.length < part.count) {
        const made = await makeRest(request, part);
        if (made === 'later') return undefined;
        if (made === 'refused') makesRest = false;
        else vouchers = made;
      }
      all.push(...vouchers);
      if (makesRest) await noteProgress(intent, all.length);
    }
    return all;
  };

  return async (request: SettleRequest, settlement: Settlement): Promise<void> => {
    const { intent, isVoid, isMissingTooLong, adopt, revoke, remove } = settlement;
    const parts = findParts(request, intent);
    if (!parts) return;
    const found = await findOrMake(request, settlement, parts);
    if (!found) return;
    const coded = found.filter(hasCode);
    if (isVoid) {
      if (found.length > 0 && (await revoke(found))) return;
      if (isMissingTooLong()) await remove();
    } else if (coded.length >= intent.count) await adopt(coded.slice(0, intent.count));
    else if (isMissingTooLong()) await (coded.length > 0 ? adopt(coded) : remove());
  };
};
