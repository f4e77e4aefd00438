import { createHash } from 'node:crypto';
import type { components } from '../../generated/openapi.js';
import { isObject } from '../contract/document.js';
import type { ControllerVoucher } from '../controllers/controller.js';
import { awaitOutcome, makeDeadline } from '../controllers/deadline.js';
import { ControllerError, OutcomeUnknown, SettingsError } from '../controllers/errors.js';
import { describeInGerman } from '../controllers/failureTextsGerman.js';
import type { Log } from '../lib/log.js';
import type { Metrics } from '../lib/metrics.js';
import { DatabaseUnavailable, Problem, publicText } from '../lib/problem.js';
import { newId, type System } from '../lib/system.js';
import { SecretError } from '../secrets/secrets.js';
import type { ConnectedSite, SiteDirectory } from '../sites/siteDirectory.js';
import type { IdempotencyClaim } from '../storage/idempotencyKeys.js';
import type { Intent } from '../storage/intents.js';
import type { Storage } from '../storage/storage.js';
import {
  buildStoredName,
  buildVoucherRecord,
  hasCode,
  makeResolveRecordConflict,
  type CodedVoucher,
  type CreatedVoucher,
} from './record.js';

/** What a client asks for, converted and validated by the contract. */
type Order = components['schemas']['VoucherOrder'];

interface OrderContext {
  readonly apiKeyId: number;
  /** Who ordered, for the notification: `API: <key name>`. */
  readonly source: string;
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

interface OrderVoucherDeps {
  storage: Storage;
  sites: SiteDirectory;
  system: System;
  metrics: Metrics;
  log: Log;
  /** Called after a notification was put into the outbox. */
  announced(): void;
  /** How long a controller may take. */
  deadlineMs: number;
}

/** Orders a voucher: intent, controller, record. */
export type OrderVoucher = (order: Order, context: OrderContext) => Promise<OrderedVoucher>;

export const makeOrderVoucher = (options: OrderVoucherDeps): OrderVoucher => {
  const { storage, sites, system, metrics, log, deadlineMs } = options;
  const ask = makeAskController(options);
  const resolveConflict = makeResolveRecordConflict(options);

  const earlierAnswer = async (claim: IdempotencyClaim): Promise<OrderedVoucher | undefined> => {
    const earlier = await storage.idempotency.find(claim, system.now());
    if (!earlier) return undefined;
    if (!isSameOrder(claim.fingerprint, earlier.fingerprint)) throw new Problem('idempotency_mismatch');
    if (earlier.answer === null) throw inProgressProblem(deadlineMs);
    return { ...(JSON.parse(earlier.answer) as CreatedVoucher), replayed: true };
  };

  const abandon = async (intent: Intent): Promise<void> => {
    try {
      await storage.intents.remove(intent.id);
    } catch (error) {
      log.warn({ err: error, intent: intent.id }, 'intent not removed; the reconciler will');
    }
  };

  /** Counts an order that nobody waits for any more, and returns the reason. */
  const dropped = ({ reason }: AbortSignal): unknown => {
    const why = reason instanceof Problem ? 'deadline' : 'client';
    metrics.droppedOrder(why);
    log.debug({ reason: why }, 'order dropped: nobody waits for it');
    return reason;
  };

  /** Stores when the order ended, so that the reconciler knows when a voucher must have been made. */
  const leaveOpen = async (intent: Intent, { controller }: ConnectedSite, isVoid: boolean): Promise<void> => {
    try {
      await storage.intents.end(intent.id, {
        at: system.now(),
        clock: controller.clock.offset(),
        isVoid,
      });
    } catch (error) {
      log.warn(
        { err: error, intent: intent.id },
        'end of the order not noted; the reconciler goes by the deadline',
      );
    }
  };

  /** Asks the controller and records what it made; the deadline holds for both. */
  const createAndRecord = async (
    intent: Intent,
    site: ConnectedSite,
    claim: IdempotencyClaim | undefined,
    { address }: OrderContext,
    signal: AbortSignal,
  ): Promise<CreatedVoucher> => {
    let made: ControllerVoucher | undefined;
    try {
      [made] = await ask(site, intent, signal);
    } catch (error) {
      if (error instanceof OutcomeUnknown) await leaveOpen(intent, site, false);
      else await abandon(intent);
      throw toClientProblem(error);
    }
    if (!hasCode(made)) {
      // Steps 7 and 8: the answer says that there is no voucher, so the reconciler revokes one if it exists after all.
      await leaveOpen(intent, site, true);
      throw new Problem('upstream_error');
    }

    const record = async (voucher: CodedVoucher): Promise<CreatedVoucher | undefined> => {
      const { created, record: written } = buildVoucherRecord(intent, site, voucher, system, address);
      if (!(await storage.vouchers.record({ ...written, answer: claim && JSON.stringify(created) })))
        return undefined;
      options.announced();
      return created;
    };
    const created = (await record(made)) ?? (await resolveConflict({ intent, site, made, record, signal }));
    if (created) return created;
    await leaveOpen(intent, site, false);
    throw serverProblem(
      'Der Voucher wurde von einem anderen Vorgang erfasst',
      new Error('the voucher was recorded by another process, for another order'),
    );
  };

  return async (order, context) => {
    const claim = toIdempotencyClaim(order, context);
    const earlier = claim && (await earlierAnswer(claim));
    if (earlier) return earlier;

    const site = await sites.findActive(order.site_id).catch((error: unknown) => {
      throw toClientProblem(error);
    });
    if (!site) throw new Problem('not_found');

    if (context.signal?.aborted) throw dropped(context.signal);
    const intent = toIntent(order, site, context, system);
    const begun = await storage.intents.begin({ intent, claim }).catch((error: unknown) => {
      // The intent may have been written all the same, and no controller is asked for it.
      if (error instanceof DatabaseUnavailable) void abandon(intent);
      throw error;
    });
    if (!begun) {
      // Another request with the same idempotency key was faster.
      const faster = claim && (await earlierAnswer(claim));
      if (faster) return faster;
      throw inProgressProblem(deadlineMs);
    }
    // The client may have left while the database was slow.
    if (context.signal?.aborted) {
      await abandon(intent);
      throw dropped(context.signal);
    }

    // The time counts from the intent, as it does for the reconciler, which takes over after the deadline.
    const leftMs = Math.min(deadlineMs, intent.createdAt + deadlineMs - system.now());
    if (leftMs <= 0) {
      metrics.droppedOrder('deadline');
      await abandon(intent);
      throw serverProblem(
        'Der Auftrag konnte nicht rechtzeitig gespeichert werden',
        new Error('the deadline passed before the intent was stored'),
      );
    }

    // The one deadline of the order. The client's signal is not part of it: once the controller is asked, a client
    // that leaves must not turn its order into one with an unknown outcome.
    const deadline = makeDeadline(leftMs);
    try {
      return { ...(await createAndRecord(intent, site, claim, context, deadline.signal)), replayed: false };
    } finally {
      deadline.end();
    }
  };
};

/** Asks the controller: no answer by the deadline is an unknown outcome, unless it was never asked. */
const makeAskController =
  ({ metrics, system, deadlineMs }: OrderVoucherDeps) =>
  async (site: ConnectedSite, intent: Intent, signal: AbortSignal): Promise<readonly ControllerVoucher[]> => {
    const { name, maxUses, expireMinutes, down, up, quotaMb } = intent;
    const order = { controllerSite: site.controllerSite, name, maxUses, expireMinutes, down, up, quotaMb };
    const started = system.now();
    let outcome = 'answer';
    try {
      return await awaitOutcome(site.controller.create(order, 1, signal), signal, {
        seconds: deadlineMs / 1000,
      });
    } catch (error) {
      outcome = error instanceof OutcomeUnknown ? 'unknown' : 'refusal';
      throw error;
    } finally {
      metrics.controllerCall(site.controllerKind, 'create', outcome, (system.now() - started) / 1000);
    }
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
    source: context.source,
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

const inProgressProblem = (deadlineMs: number): Problem =>
  new Problem(
    'idempotency_in_progress',
    {},
    { 'Retry-After': String(Math.max(1, Math.ceil(deadlineMs / 1000))) },
  );

/**
 * Distinguishes a repeated order from another one with the same idempotency key. It has two hashes: of the body as the
 * client sent it, which a change of the contract's defaults does not affect, and of the converted order, because the same
 * order can be written in several ways. Old entries have only the second.
 */
const fingerprintOrder = (sent: unknown, order: unknown): string =>
  `${sha256(JSON.stringify(sent, withSortedFields))} ${sha256(JSON.stringify(order))}`;

/** One equal hash is enough. */
const isSameOrder = (fingerprint: string, earlier: string): boolean => {
  const hashes = earlier.split(' ');
  return fingerprint.split(' ').some((hash) => hashes.includes(hash));
};

/** The order of fields has no meaning. */
const withSortedFields = (_name: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
