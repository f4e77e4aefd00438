import type { Controller } from '../controllers/controller.js';
import { makeDeadline, orWhenAborted } from '../controllers/deadline.js';
import { type ControllerError, OutcomeUnknown } from '../controllers/errors.js';
import { isTemporary, showsNoVoucher } from '../controllers/failure.js';
import type { Log } from '../log/log.js';
import type { Metrics } from '../metrics/metrics.js';
import { DatabaseUnavailable, waitedInVain } from '../database/unavailable.js';
import { isHttpProblem, makeUnavailable } from '../errors/httpProblem.js';
import { Problem } from '../errors/problem.js';
import { publicText } from '../lib/publicText.js';
import type { System } from '../lib/system.js';
import type { ConnectedSite } from '../controllers/siteDirectory.js';
import type { RotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import type { Intent, NewIntent } from './intentTable.js';
import type { VoucherTables } from './voucherTables.js';
import { toOrderReason, type OrderReason } from './orderReasons.js';
import {
  buildVoucherRecord,
  hasCode,
  makeResolveRecordConflict,
  toCreatedVoucher,
  type CodedVoucher,
} from './record.js';
import { makeControllerOrders } from './controllerOrder.js';

interface CreateVouchersDeps {
  tables: VoucherTables;
  system: System;
  metrics: Metrics;
  log: Log;
  /** Called after a notification was put into the outbox. */
  announced(): void;
  /** Writes the codes of orders, sealed. */
  writeSealed: RotationSafeWriter['replace'];
  /** How long a controller may take. */
  deadlineMs: number;
}

/** An order, ready to be carried out. */
export interface VoucherRequest extends NewIntent {
  readonly site: ConnectedSite;
  /** Where the request came from, for the audit log. */
  readonly address: string;
  /** Aborts when the client no longer waits. That ends the order only until the controller is asked. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates the vouchers of an order and returns their codes; undefined when the idempotency key or the id of
 * the order is taken. Throws the refusal `daily-limit`. Also throws when there are no vouchers, or when that
 * is not known. What the web UI shows of its order is then stored.
 */
export type CreateVouchers = (request: VoucherRequest) => Promise<readonly string[] | undefined>;

/**
 * The steps of every order, for the API and the web UI: the intent is stored, the controller is asked, and
 * what it has created is recorded. If the outcome is unknown, the intent stays for the reconciler.
 */
export const makeCreateVouchers = (deps: CreateVouchersDeps): CreateVouchers => {
  const { tables, system, metrics, log, deadlineMs } = deps;
  const { begin, ask } = makeControllerOrders(deps);
  const { abandon, leaveOpen } = makeOrderEndings(deps);
  const resolveConflict = makeResolveRecordConflict(deps);

  /** Counts an order that nobody waits for any more, and returns the reason. */
  const dropped = ({ reason }: AbortSignal): unknown => {
    const why = isHttpProblem(reason) ? 'deadline' : 'client';
    metrics.droppedOrder(why);
    log.debug({ reason: why }, 'order dropped: nobody waits for it');
    return reason;
  };

  /**
   * Stores the intent. A client of the API is told at its deadline that nothing was done; an intent that is
   * stored later is abandoned.
   */
  const beginInTime = async ({ intent, site, claim, order }: VoucherRequest) => {
    const beginning = begin(intent, site, (complete) =>
      tables.intents.begin({ intent: complete, claim, order }),
    );
    if (intent.origin !== 'api') return beginning;
    const deadline = makeDeadline(deadlineMs);
    try {
      return await orWhenAborted(beginning, deadline.signal, () => {
        metrics.droppedOrder('deadline');
        beginning.then(
          ({ begun }) => (begun ? abandon(intent, tooLate) : undefined),
          () => undefined,
        );
        return tooLateToBegin();
      });
    } finally {
      deadline.end();
    }
  };

  /** Asks the controller, and returns the vouchers that it has created. The signal is the deadline. */
  const create = async (
    { intent, site }: VoucherRequest,
    codes: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<readonly CodedVoucher[]> => {
    let created: readonly CodedVoucher[] = [];
    let failure: ControllerError | OutcomeUnknown | undefined;
    let unreadable: OutcomeUnknown | undefined;
    try {
      const made = await ask({ intent, site, codes }, signal);
      created = made.vouchers.slice(0, intent.count).filter(hasCode);
      failure = made.failure;
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) {
        await abandon(intent, toOrderReason(error));
        throw error;
      }
      if (intent.origin === 'api' && showsNoVoucher(error.failure)) unreadable = error;
      else failure = error;
    }
    if (failure && (failure instanceof OutcomeUnknown || isFinishable(intent, site.controller, failure))) {
      // The reconciler makes the rest, and records all of it at once.
      await leaveOpen(intent, site, toOrderReason(failure));
      throw failure;
    }
    // Where a later call was refused, there are certainly no more.
    if (created.length === intent.count || (created.length > 0 && failure)) return created;
    // The API's answer says that there is no voucher, so the reconciler revokes one if it
    // exists after all. For a desk order it records what exists.
    const values = { shown: created.length, count: intent.count };
    await leaveOpen(intent, site, { code: 'not-shown', values }, intent.origin === 'api');
    throw new Problem('upstream_error', {}, {}, unreadable);
  };

  /** Records what the controller has created, and returns the codes. */
  const recordCreated = async (
    { intent, site, claim, address }: VoucherRequest,
    created: readonly CodedVoucher[],
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    const record = async (vouchers: readonly CodedVoucher[]): Promise<boolean> => {
      const answer = claim && JSON.stringify(toCreatedVoucher(intent, site, vouchers[0]?.code ?? ''));
      const written = buildVoucherRecord(intent, site, vouchers, system, address);
      if (!(await tables.vouchers.record({ ...written, answer }))) return false;
      deps.announced();
      return true;
    };
    const recorded = record(created);
    const isRecorded =
      intent.origin === 'api' ? await orWhenAborted(recorded, signal, notRecordedInTime) : await recorded;
    if (isRecorded) return created.map(({ code }) => code);
    const codes = await resolveConflict({ intent, site, created, record, signal });
    if (codes) return codes;
    await leaveOpen(intent, site, { code: 'taken-by-others', values: {} });
    throw serverProblem(
      'Der Voucher wurde von einem anderen Vorgang erfasst',
      new Error('the voucher was recorded by another process, for another order'),
    );
  };

  return async (request) => {
    const { intent, signal } = request;
    if (signal?.aborted) throw dropped(signal);
    const { begun, codes } = await beginInTime(request).catch((error: unknown) => {
      // The intent may have been written anyway; no controller is asked for it.
      if (error instanceof DatabaseUnavailable) void abandon(intent, tooLate);
      throw error;
    });
    if (!begun) return undefined;
    // The client may have left while the database was slow.
    if (signal?.aborted) {
      await abandon(intent, tooLate);
      throw dropped(signal);
    }

    // The time counts from the intent, as it does for the reconciler, which takes over after the deadline.
    const leftMs = Math.min(deadlineMs, intent.createdAt + deadlineMs - system.now());
    if (leftMs <= 0) {
      metrics.droppedOrder('deadline');
      await abandon(intent, tooLate);
      throw tooLateToBegin();
    }

    // The one deadline of the order. The client's signal is not part of it: once the controller is asked, a
    // client that leaves must not turn its order into one with an unknown outcome.
    const deadline = makeDeadline(leftMs);
    try {
      const created = await create(request, codes, deadline.signal);
      return await recordCreated(request, created, deadline.signal);
    } catch (error) {
      if (intent.origin !== 'api' || !waitedInVain(error)) throw error;
      // The controller was asked, so the order must not be sent again.
      void leaveOpen(intent, request.site, tooLate);
      throw notRecordedInTime(error);
    } finally {
      deadline.end();
    }
  };
};

/** How the intent of an order ends that recorded no vouchers. */
const makeOrderEndings = ({ tables, system, log }: CreateVouchersDeps) => ({
  /** Removes the intent of an order that created nothing. */
  abandon: async (intent: Intent, reason: OrderReason): Promise<void> => {
    const { id, origin } = intent;
    try {
      await (origin === 'api' ? tables.intents.remove(id) : tables.intents.failOrder(intent, reason));
    } catch (error) {
      log.warn({ err: error, intent: id }, 'intent not removed; the reconciler will');
    }
  },
  /** Stores when the order ended, so that the reconciler knows when a voucher must have been created. */
  leaveOpen: async (
    { id, origin }: Intent,
    { controller }: ConnectedSite,
    reason: OrderReason,
    isVoid = false,
  ): Promise<void> => {
    const end = { at: system.now(), clock: controller.clock.offset(), isVoid };
    try {
      await (origin === 'api' ? tables.intents.end(id, end) : tables.intents.leaveOrderOpen(id, end, reason));
    } catch (error) {
      log.warn({ err: error, intent: id }, 'end of the order not noted; the reconciler goes by the deadline');
    }
  },
});

/** Can the reconciler make the rest of an order, of which a part was made? */
const isFinishable = (
  { origin }: Intent,
  { find }: Pick<Controller, 'find'>,
  { failure }: ControllerError,
): boolean => origin !== 'api' && find !== undefined && isTemporary(failure);

const tooLate: OrderReason = { code: 'too-late', values: {} };

/** The controller was not asked, so the order may be sent again. */
const tooLateToBegin = (): Error =>
  makeUnavailable(new Error('the deadline passed before the intent was stored'));

/** The vouchers exist; the reconciler records them. */
const notRecordedInTime = (cause?: unknown): Problem =>
  serverProblem(
    'Der Voucher konnte nicht rechtzeitig gespeichert werden',
    cause instanceof Error ? cause : new Error('the deadline passed before the vouchers were recorded'),
  );

/** The client gets the German message, the log the cause. */
export const serverProblem = (message: string, cause: Error): Problem =>
  new Problem('server_error', { message: publicText(message) }, {}, cause);
