import type { components } from '../../generated/openapi.js';
import type { Controller } from '../controllers/controller.js';
import { makeDeadline, orWhenAborted } from '../controllers/deadline.js';
import { ControllerError, OutcomeUnknown, SettingsError } from '../controllers/errors.js';
import { isTemporary, showsNoVoucher } from '../controllers/failure.js';
import { describeInGerman } from '../controllers/failureMessages.js';
import type { Log } from '../log/log.js';
import type { Metrics } from '../metrics/metrics.js';
import { DatabaseUnavailable, waitedInVain } from '../database/unavailable.js';
import { isHttpProblem, makeUnavailable } from '../errors/httpProblem.js';
import { Problem } from '../errors/problem.js';
import { publicText } from '../lib/publicText.js';
import { newId, type System } from '../lib/system.js';
import { SecretError } from '../secrets/encryption.js';
import type { ConnectedSite, SiteDirectory } from '../controllers/siteDirectory.js';
import { assertLimitsKept } from '../controllers/keptLimits.js';
import type { RotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import type { IdempotencyClaim } from './idempotencyKeyTable.js';
import type { Intent, NewIntent } from './intentTable.js';
import type { VoucherTables } from './voucherTables.js';
import { fingerprintOrder, inProgressProblem, makeFindEarlierAnswer } from './idempotency.js';
import { toOrderReason, type OrderReason } from './orderReasons.js';
import {
  buildStoredName,
  buildVoucherRecord,
  hasCode,
  makeResolveRecordConflict,
  toCreatedVoucher,
  type CodedVoucher,
  type CreatedVoucher,
} from './record.js';
import { makeControllerOrders } from './controllerOrder.js';
import type { OrderActor } from './origin.js';

/** What a client asks for, converted and validated by the contract. */
type Order = components['schemas']['VoucherOrder'];

interface OrderContext extends OrderActor<'api'> {
  readonly apiKeyId: number;
  /** Where the request came from, for the audit log. */
  readonly address: string;
  readonly idempotencyKey?: string | undefined;
  /** The order as the client sent it, without the contract's defaults. */
  readonly sent: unknown;
  /** Aborts when the client no longer waits. That ends the order only until the controller is asked. */
  readonly signal?: AbortSignal;
}

interface OrderedVoucher extends CreatedVoucher {
  /** Is this the stored answer to an earlier request? */
  readonly replayed: boolean;
}

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
 * Creates the vouchers of an order, for the API and the pages: intent, controller, record. Returns their codes, or
 * undefined when the idempotency key or the id of the order is taken. Throws the refusal `daily-limit`, and when there are no vouchers, or when that is
 * not known; what the pages tell of their order is stored then.
 */
export type CreateVouchers = (request: VoucherRequest) => Promise<readonly string[] | undefined>;

export const makeCreateVouchers = (options: CreateVouchersDeps): CreateVouchers => {
  const { tables, system, metrics, log, deadlineMs } = options;
  const { begin, ask } = makeControllerOrders(options);
  const resolveConflict = makeResolveRecordConflict(options);

  /** Removes the intent of an order that created nothing. */
  const abandon = async (intent: Intent, reason: OrderReason): Promise<void> => {
    const { id, origin } = intent;
    try {
      await (origin === 'api' ? tables.intents.remove(id) : tables.intents.failOrder(intent, reason));
    } catch (error) {
      log.warn({ err: error, intent: id }, 'intent not removed; the reconciler will');
    }
  };

  /** Counts an order that nobody waits for any more, and returns the reason. */
  const dropped = ({ reason }: AbortSignal): unknown => {
    const why = isHttpProblem(reason) ? 'deadline' : 'client';
    metrics.droppedOrder(why);
    log.debug({ reason: why }, 'order dropped: nobody waits for it');
    return reason;
  };

  /** Stores when the order ended, so that the reconciler knows when a voucher must have been created. */
  const leaveOpen = async (
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
  };

  /** Asks the controller and records what it has created; the deadline holds for both. */
  const createAndRecord = async (
    { intent, site, claim, address }: VoucherRequest,
    drawn: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    let created: readonly CodedVoucher[];
    let failure: ControllerError | OutcomeUnknown | undefined;
    let unreadable: OutcomeUnknown | undefined;
    try {
      const made = await ask({ intent, site, codes: drawn }, signal);
      created = made.vouchers.slice(0, intent.count).filter(hasCode);
      failure = made.failure;
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) {
        await abandon(intent, toOrderReason(error));
        throw error;
      }
      if (intent.origin !== 'api' || !showsNoVoucher(error.failure)) {
        await leaveOpen(intent, site, toOrderReason(error));
        throw error;
      }
      [created, unreadable] = [[], error];
    }
    if (failure && (failure instanceof OutcomeUnknown || isFinishable(intent, site.controller, failure))) {
      // The reconciler makes the rest, and records all of it at once.
      await leaveOpen(intent, site, toOrderReason(failure));
      throw failure;
    }
    // Where a later call was refused, there are certainly no more.
    if (created.length === 0 || (created.length < intent.count && !failure)) {
      // Steps 7 and 8: the API's answer says that there is no voucher, so the reconciler revokes one if it exists after
      // all. For a desk order it records what exists.
      await leaveOpen(
        intent,
        site,
        { code: 'not-shown', values: { shown: created.length, count: intent.count } },
        intent.origin === 'api',
      );
      throw new Problem('upstream_error', {}, {}, unreadable);
    }

    const record = async (vouchers: readonly CodedVoucher[]): Promise<boolean> => {
      const answer = claim && JSON.stringify(toCreatedVoucher(intent, site, vouchers[0]?.code ?? ''));
      const written = buildVoucherRecord(intent, site, vouchers, system, address);
      if (!(await tables.vouchers.record({ ...written, answer }))) return false;
      options.announced();
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

  /** Stores the intent. A client of the API is told at its deadline that nothing was done, and so it stays then. */
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

    // The one deadline of the order. The client's signal is not part of it: once the controller is asked, a client
    // that leaves must not turn its order into one with an unknown outcome.
    const deadline = makeDeadline(leftMs);
    try {
      return await createAndRecord(request, codes, deadline.signal);
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

interface OrderVoucherDeps extends Pick<CreateVouchersDeps, 'tables' | 'system' | 'deadlineMs'> {
  sites: SiteDirectory;
  createVouchers: CreateVouchers;
}

/** Orders a voucher for a client of the API. */
export type OrderVoucher = (order: Order, context: OrderContext) => Promise<OrderedVoucher>;

export const makeOrderVoucher = ({
  tables,
  sites,
  system,
  deadlineMs,
  createVouchers,
}: OrderVoucherDeps): OrderVoucher => {
  const findEarlierAnswer = makeFindEarlierAnswer(tables.idempotency, system, deadlineMs);
  const replay = async (claim: IdempotencyClaim): Promise<OrderedVoucher | undefined> => {
    const answer = await findEarlierAnswer(claim);
    return answer && { ...answer, replayed: true };
  };

  return async (order, context) => {
    const claim = toIdempotencyClaim(order, context);
    const earlier = claim && (await replay(claim));
    if (earlier) return earlier;
    try {
      const site = await sites.findActive(order.site_id);
      if (!site) throw new Problem('not_found');
      const intent = toIntent(order, site, context, system);
      assertLimitsKept(site.controller, intent);
      const { address, signal } = context;
      const codes = await createVouchers({ intent, site, claim, address, signal });
      if (codes) return { ...toCreatedVoucher(intent, site, codes[0] ?? ''), replayed: false };
    } catch (error) {
      throw toClientProblem(error);
    }
    // Another request with the same idempotency key was faster.
    const faster = claim && (await replay(claim));
    if (faster) return faster;
    throw inProgressProblem(deadlineMs);
  };
};

const toIntent = (order: Order, site: ConnectedSite, context: OrderContext, system: System): Intent => {
  const createdAt = system.now();
  return {
    id: newId(system),
    siteId: site.id,
    name: buildStoredName(order.name, createdAt),
    maxUses: order.max_uses,
    expireMinutes: order.expire_minutes,
    down: order.qos.down,
    up: order.qos.up,
    quotaMb: order.qos.quota_mb,
    count: 1,
    profileId: null,
    origin: context.origin,
    actorName: context.actorName,
    createdAt,
  };
};

const toIdempotencyClaim = (
  order: Order,
  { apiKeyId, idempotencyKey, sent }: OrderContext,
): IdempotencyClaim | undefined =>
  idempotencyKey === undefined
    ? undefined
    : { apiKeyId, idempotencyKey, fingerprint: fingerprintOrder(sent, order) };

/** A controller's failure in the client's language. Any other error keeps its text. */
const toClientProblem = (error: unknown): unknown => {
  if (error instanceof ControllerError || error instanceof OutcomeUnknown)
    return serverProblem(describeInGerman(error), error);
  if (error instanceof SecretError)
    return serverProblem('Die Zugangsdaten des Controllers lassen sich nicht öffnen', error);
  if (error instanceof SettingsError)
    return serverProblem('Die Einstellungen des Controllers sind nicht verwendbar', error);
  return error;
};

/** The client gets the German message, the log the cause. */
const serverProblem = (message: string, cause: Error): Problem =>
  new Problem('server_error', { message: publicText(message) }, {}, cause);
