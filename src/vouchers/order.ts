import { createHash } from 'node:crypto';
import type { components } from '../../generated/openapi.js';
import { isObject } from '../contract/document.js';
import type { ControllerVoucher } from '../controllers/controller.js';
import { awaitOutcome, makeDeadline } from '../controllers/deadline.js';
import { ControllerError, OutcomeUnknown, SettingsError } from '../controllers/errors.js';
import { describeInGerman } from '../controllers/german.js';
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
  readonly idempotencyKey?: string | undefined;
  /** The order as the client sent it, without the contract's defaults. */
  readonly sent: unknown;
  /** Aborts once nobody waits for the voucher any more. Until the controller is asked, that ends the order. */
  readonly signal?: AbortSignal;
}

interface OrderedVoucher extends CreatedVoucher {
  /** Is this the first answer again? */
  readonly replayed: boolean;
}

interface OrderVoucherDeps {
  storage: Storage;
  sites: SiteDirectory;
  system: System;
  metrics: Metrics;
  log: Log;
  /** Called when a notification was put into the outbox. */
  announced(): void;
  /** How long a controller may take. */
  deadlineMs: number;
}

/** Orders a voucher: intent, controller, record. */
export type OrderVoucher = (order: Order, orderer: OrderContext) => Promise<OrderedVoucher>;

export const makeOrderVoucher = (options: OrderVoucherDeps): OrderVoucher => {
  const { storage, sites, system, metrics, log, deadlineMs } = options;
  const ask = makeAskController(options);
  const recordAlike = makeResolveRecordConflict(options);

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

  /** Notes that nobody waits for an order any more, and returns why. */
  const dropped = ({ reason }: AbortSignal): unknown => {
    const why = reason instanceof Problem ? 'deadline' : 'client';
    metrics.droppedOrder(why);
    log.debug({ reason: why }, 'order dropped: nobody waits for it');
    return reason;
  };

  /** Notes, for the reconciler, between which times a voucher must have been made. */
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
      // Steps 7 and 8: the client is told that there is none, so what there may be after all is revoked.
      await leaveOpen(intent, site, true);
      throw new Problem('upstream_error');
    }

    const record = async (voucher: CodedVoucher): Promise<CreatedVoucher | undefined> => {
      const { created, record: written } = buildVoucherRecord(intent, site, voucher, system);
      if (!(await storage.vouchers.record({ ...written, answer: claim && JSON.stringify(created) })))
        return undefined;
      options.announced();
      return created;
    };
    const created = (await record(made)) ?? (await recordAlike({ intent, site, made, record, signal }));
    if (created) return created;
    await leaveOpen(intent, site, false);
    throw serverProblem(
      'Der Voucher wurde von einem anderen Vorgang erfasst',
      new Error('the voucher was recorded by another process, for another order'),
    );
  };

  return async (order, orderer) => {
    const claim = toIdempotencyClaim(order, orderer);
    const earlier = claim && (await earlierAnswer(claim));
    if (earlier) return earlier;

    const site = await sites.findActive(order.site_id).catch((error: unknown) => {
      throw toClientProblem(error);
    });
    if (!site) throw new Problem('not_found');

    if (orderer.signal?.aborted) throw dropped(orderer.signal);
    const intent = toIntent(order, site, orderer, system);
    const begun = await storage.intents.begin({ intent, claim }).catch((error: unknown) => {
      // It may have been written all the same, and nobody would ask a controller for it.
      if (error instanceof DatabaseUnavailable) void abandon(intent);
      throw error;
    });
    if (!begun) {
      // Somebody else was faster with the same idempotency key.
      const faster = claim && (await earlierAnswer(claim));
      if (faster) return faster;
      throw inProgressProblem(deadlineMs);
    }
    // The database may have kept it waiting.
    if (orderer.signal?.aborted) {
      await abandon(intent);
      throw dropped(orderer.signal);
    }

    // The time counts from the intent on, as it does for the reconciler, which takes over when it is up.
    const leftMs = Math.min(deadlineMs, intent.createdAt + deadlineMs - system.now());
    if (leftMs <= 0) {
      metrics.droppedOrder('deadline');
      await abandon(intent);
      throw serverProblem(
        'Der Auftrag konnte nicht rechtzeitig gespeichert werden',
        new Error('the deadline passed before the intent was stored'),
      );
    }

    // The one deadline of the order. The orderer's signal is not part of it: once the controller is asked, a client
    // that leaves must not turn its order into one with an unknown outcome.
    const deadline = makeDeadline(leftMs);
    try {
      return { ...(await createAndRecord(intent, site, claim, deadline.signal)), replayed: false };
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

const toIntent = (order: Order, site: ConnectedSite, orderer: OrderContext, system: System): Intent => {
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
    source: orderer.source,
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

/** A controller's trouble in the client's language. Any other exception keeps its own text. */
const toClientProblem = (error: unknown): unknown => {
  if (error instanceof ControllerError || error instanceof OutcomeUnknown)
    return serverProblem(describeInGerman(error), error);
  if (error instanceof SecretError)
    return serverProblem('Die Zugangsdaten des Controllers lassen sich nicht öffnen', error);
  if (error instanceof SettingsError)
    return serverProblem('Die Einstellungen des Controllers sind nicht verwendbar', error);
  return error;
};

/** What the client reads, in German; the log has the cause. */
const serverProblem = (message: string, cause: Error): Problem =>
  new Problem('server_error', { message: publicText(message) }, {}, cause);

const inProgressProblem = (deadlineMs: number): Problem =>
  new Problem(
    'idempotency_in_progress',
    {},
    { 'Retry-After': String(Math.max(1, Math.ceil(deadlineMs / 1000))) },
  );

/**
 * Tells a repetition of an order from another one under the same idempotency key. It names the body twice: as the client
 * sent it, which no change of the contract's defaults touches, and as the order that the contract made of it, because the
 * same order may be written in several ways. Of what was stored before there was the first, there is only the second.
 */
const fingerprintOrder = (sent: unknown, order: unknown): string =>
  `${sha256(JSON.stringify(sent, withSortedFields))} ${sha256(JSON.stringify(order))}`;

/** The same when either name is the same. */
const isSameOrder = (fingerprint: string, earlier: string): boolean => {
  const names = earlier.split(' ');
  return fingerprint.split(' ').some((name) => names.includes(name));
};

/** Neither a client nor the contract means anything by the order of fields. */
const withSortedFields = (_name: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
