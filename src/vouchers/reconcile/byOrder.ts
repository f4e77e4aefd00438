import type { Controller, ControllerVoucher } from '../../controllers/controller.js';
import { splitOrder } from '../../controllers/orderParts.js';
import type { ControllerSite, ControllerWithSites } from '../../controllers/siteDirectory.js';
import type { Log } from '../../log/log.js';
import { SecretError, type Secrets } from '../../secrets/encryption.js';
import { openCodes, toVoucherOrder } from '../controllerOrder.js';
import type { Intent } from '../intentTable.js';
import { hasCode, type CodedVoucher } from '../record.js';

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
  readonly log: Log;
  secrets(): Secrets;
}

/**
 * Settles an intent whose vouchers the controller finds by its codes or its reference: nothing is compared, and no other
 * order can get them.
 */
export const makeSettleByOrder = ({ log, secrets }: SettleByOrderDeps) => {
  /** Undefined as long as nobody can tell, because the secret key is another one: the intent stays until it is back. */
  const findVouchers = async (
    { controller, controllerSite, signal }: SettleRequest,
    intent: Intent,
  ): Promise<readonly ControllerVoucher[] | undefined> => {
    let codes: readonly string[] | undefined;
    try {
      codes = openCodes(secrets, intent);
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      log.warn({ err: error, intent: intent.id }, 'the codes of an order can not be opened; will retry');
      return undefined;
    }
    const order = toVoucherOrder(intent, controllerSite.id, codes);
    const found: ControllerVoucher[] = [];
    for (const part of splitOrder(controller, order, intent.count))
      found.push(...((await controller.find?.(part.order, part.count, signal)) ?? []));
    return found;
  };

  return async (request: SettleRequest, settlement: Settlement): Promise<void> => {
    const { intent, isVoid, isMissingTooLong, adopt, revoke, remove } = settlement;
    const found = await findVouchers(request, intent);
    if (!found) return;
    const coded = found.filter(hasCode);
    if (isVoid) {
      if (found.length > 0 && (await revoke(found))) return;
      if (isMissingTooLong()) await remove();
    } else if (coded.length >= intent.count) await adopt(coded.slice(0, intent.count));
    else if (isMissingTooLong()) await (coded.length > 0 ? adopt(coded) : remove());
  };
};
