import type { ControllerVoucher, VoucherOrder } from '../controllers/controller.js';
import { drawCodes, type CodeForm } from '../controllers/codes.js';
import { awaitOutcome } from '../controllers/deadline.js';
import { CodesTaken, ControllerError, OutcomeUnknown } from '../controllers/errors.js';
import { splitOrder, type OrderPart } from '../controllers/orderParts.js';
import type { ConnectedSite } from '../controllers/siteDirectory.js';
import { pickLimits } from '../controllers/voucherLimits.js';
import type { Log } from '../log/log.js';
import type { System } from '../lib/system.js';
import { orderCodesBinding, type Secrets } from '../secrets/encryption.js';
import type { RotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import type { Intent } from './intentTable.js';
import type { VoucherTables } from './voucherTables.js';

/** An intent as its controller is asked for it. */
export const toVoucherOrder = (
  intent: Intent,
  controllerSite: string | null,
  codes?: readonly string[],
): VoucherOrder => ({
  controllerSite,
  name: intent.name,
  reference: intent.id,
  codes,
  ...pickLimits(intent),
});

const sealCodes = (secrets: Secrets, { id }: Intent, codes: readonly string[]): string =>
  secrets.seal(JSON.stringify(codes), orderCodesBinding(id));

/**
 * The codes that were drawn for an intent; undefined where the controller chooses them. Throws `SecretError`.
 */
export const openCodes = (secrets: () => Secrets, { id, sealedCodes }: Intent): string[] | undefined =>
  sealedCodes == null
    ? undefined
    : (JSON.parse(secrets().open(sealedCodes, orderCodesBinding(id))) as string[]);

interface ControllerOrderDeps {
  readonly tables: Pick<VoucherTables, 'intents' | 'vouchers'>;
  readonly system: System;
  readonly log: Log;
  /** Writes sealed codes. */
  readonly writeSealed: RotationSafeWriter['replace'];
  readonly deadlineMs: number;
}

/** Tells the web UI how many vouchers of an order there are, while the rest is made. */
export const makeNoteProgress =
  ({ tables, log }: { readonly tables: Pick<VoucherTables, 'intents'>; readonly log: Log }) =>
  async ({ id, origin, count }: Intent, made: number): Promise<void> => {
    if (origin === 'api' || made === 0 || made >= count) return;
    await tables.intents.noteProgress(id, made).catch((error: unknown) => {
      log.warn({ err: error, intent: id }, 'progress of an order not stored');
    });
  };

/** An order on its way to the controller: with its codes, where we choose them. */
interface ControllerOrder {
  readonly intent: Intent;
  readonly site: ConnectedSite;
  readonly codes: readonly string[] | undefined;
}

/** What a controller has made of an order. */
interface Made {
  readonly vouchers: readonly ControllerVoucher[];
  /** Why there are no more, where a later call failed. */
  readonly failure?: ControllerError | OutcomeUnknown;
}

/** How often other codes are drawn. Even one that is taken is very unlikely. */
const maxDraws = 3;

export const makeControllerOrders = (deps: ControllerOrderDeps) => {
  const { tables, system, log, writeSealed, deadlineMs } = deps;
  const noteProgress = makeNoteProgress(deps);

  /** Draws codes that are recorded nowhere. What the controller has besides, it says itself. */
  const drawFree = async (form: CodeForm, count: number, { controllerId }: ConnectedSite) => {
    const free = new Set<string>();
    while (free.size < count) {
      const drawn = drawCodes(form, count - free.size, system).map((code) => ({ id: null, code, name: '' }));
      for (const { code } of await tables.vouchers.unrecorded(controllerId, drawn, true)) free.add(code);
    }
    return [...free];
  };

  /** Draws other codes for a part of an order, and stores them before the controller is asked again. */
  const redraw = async ({ intent, site, codes }: ControllerOrder, { order, count }: OrderPart) => {
    const form = site.controller.ownCodes;
    const taken = new Set(order.codes);
    if (!form || !codes) return undefined;
    const drawn = await drawFree(form, count, site);
    const others = [...drawn];
    const all = codes.map((code) => (taken.has(code) ? (others.shift() ?? code) : code));
    await writeSealed((secrets) => tables.intents.changeCodes(intent.id, sealCodes(secrets, intent, all)));
    return { codes: all, part: { order: { ...order, codes: drawn }, count } };
  };

  /** Asks once, and once more when the answer was lost, the order may be repeated, and there is time. */
  const call = async (
    site: ConnectedSite,
    { order, count }: OrderPart,
    signal: AbortSignal,
  ): Promise<readonly ControllerVoucher[]> => {
    const ask = () =>
      awaitOutcome(site.controller.create(order, count, signal), signal, { seconds: deadlineMs / 1000 });
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof OutcomeUnknown) || !site.controller.find || signal.aborted) throw error;
      try {
        return await ask();
      } catch {
        // Only the first failure says what may have happened.
        throw error;
      }
    }
  };

  return {
    /** Draws the codes of an order, where we choose them, and stores its intent with them. */
    begin: async <T>(
      given: Intent,
      site: ConnectedSite,
      store: (intent: Intent) => Promise<T>,
    ): Promise<{ readonly begun: T; readonly codes: readonly string[] | undefined }> => {
      const { ownCodes } = site.controller;
      if (!ownCodes) return { begun: await store(given), codes: undefined };
      const codes = await drawFree(ownCodes, given.count, site);
      const begun = await writeSealed((secrets) =>
        store({ ...given, sealedCodes: sealCodes(secrets, given, codes) }),
      );
      return { begun, codes };
    },
    /**
     * Asks the controller: no answer by the deadline is an unknown outcome, unless it was never asked. Throws
     * only when no call has made a voucher.
     */
    ask: async (given: ControllerOrder, signal: AbortSignal): Promise<Made> => {
      const { intent, site } = given;
      let { codes } = given;
      const order = toVoucherOrder(intent, site.controllerSite, codes);
      const vouchers: ControllerVoucher[] = [];

      const make = async (first: OrderPart): Promise<readonly ControllerVoucher[]> => {
        for (let part = first, draws = 1; ; draws++) {
          try {
            return await call(site, part, signal);
          } catch (error) {
            if (!(error instanceof CodesTaken) || draws === maxDraws) throw error;
            const redrawn = await redraw({ intent, site, codes }, part).catch((reason: unknown) => {
              if (vouchers.length === 0) throw reason;
              // Those that exist are recorded, and the order ends with the refusal.
              log.warn({ err: reason, intent: intent.id }, 'no other codes stored for the rest of an order');
            });
            if (!redrawn) throw error;
            ({ codes, part } = redrawn);
          }
        }
      };

      for (const part of splitOrder(site.controller, order, intent.count)) {
        try {
          vouchers.push(...(await make(part)).slice(0, part.count));
          await noteProgress(intent, vouchers.length);
        } catch (error) {
          const isFailure = error instanceof ControllerError || error instanceof OutcomeUnknown;
          if (vouchers.length === 0 || !isFailure) throw error;
          return { vouchers, failure: error };
        }
      }
      return { vouchers };
    },
  };
};
