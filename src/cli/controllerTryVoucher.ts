import type { Config } from '../config.js';
import { ControllerError, OutcomeUnknown, type Controller } from '../controllers/controller.js';
import { systemEffects } from '../effects.js';
import { storedName } from '../vouchers/code.js';
import { plain } from './io.js';

/** A voucher that was made for a test, or may have been, and could not be revoked. */
export class VoucherLeft extends Error {
  override readonly name = 'VoucherLeft';

  constructor(
    message: string,
    readonly advice: string,
  ) {
    super(message);
  }
}

/** Makes one voucher, named like an order's, and revokes it at once. Says where. */
export const tryVoucher = async (
  controller: Controller,
  controllerSite: string | null,
  { controllerDeadlineMs }: Config,
): Promise<string> => {
  const name = storedName('voucherd controller test', systemEffects.now());
  const order = { controllerSite, name, maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
  const left = (message: string): VoucherLeft =>
    new VoucherLeft(message, `look for the voucher "${name}" on the controller, and delete it there`);
  const place = controllerSite === null ? 'its only or default site' : `its site ${plain(controllerSite)}`;
  const [made] = await inTime(controllerDeadlineMs, (signal) => controller.create(order, 1, signal)).catch(
    (error: unknown) => {
      throw error instanceof OutcomeUnknown
        ? left('it was asked for a voucher, and whether it made one is not known')
        : error;
    },
  );
  if (!made || made.id === null) throw left('it made a voucher, or may have, without saying which');
  const { id } = made;
  try {
    await inTime(controllerDeadlineMs, (signal) => controller.revoke(controllerSite, id, signal));
  } catch {
    throw left('it made a voucher, which could not be revoked');
  }
  if (made.code === undefined || made.code === '')
    throw new ControllerError(undefined, { trouble: 'unreadable', reason: 'no-code' });
  return `made one on ${place}, and revoked it`;
};

/** A controller that is told to stop says at once what it knows; one that does not leaves it unknown. */
const inTime = async <T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const abort = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const late = new Promise<never>((_, reject) => {
    timers.push(
      setTimeout(() => abort.abort(), ms),
      setTimeout(() => reject(new OutcomeUnknown(undefined, { trouble: 'timeout' })), ms + 250),
    );
  });
  try {
    return await Promise.race([work(abort.signal), late]);
  } finally {
    timers.forEach(clearTimeout);
  }
};
