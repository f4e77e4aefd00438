import type { components } from '../../generated/openapi.js';
import {
  ControllerError,
  OutcomeUnknown,
  SettingsError,
  type ControllerVoucher,
} from '../controllers/controller.js';
import { germanText } from '../controllers/german.js';
import { DatabaseUnavailable } from '../databaseUnavailable.js';
import { newId, type Effects } from '../effects.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import { Problem, publicText } from '../problem.js';
import { SecretError } from '../secrets.js';
import type { Site, SiteDirectory } from '../sites/directory.js';
import type { IdempotencyClaim } from '../storage/idempotency.js';
import type { Intent } from '../storage/intents.js';
import type { Storage } from '../storage/storage.js';
import { storedName } from './code.js';
import { fingerprintOf, isRepetition } from './fingerprint.js';
import { makeRecordAlike } from './recordAlike.js';
import { hasCode, recordOf, type CodedVoucher, type CreatedVoucher } from './recording.js';

/** What a client asks for, converted and validated by the contract. */
export type Order = components['schemas']['VoucherOrder'];

export interface Orderer {
  readonly apiKeyId: number;
  /** Who ordered, for the notification: `API: <key name>`. */
  readonly source: string;
  readonly idempotencyKey?: string | undefined;
  /** The order as the client sent it, without the contract's defaults. */
  readonly sent: unknown;
  /** Aborts once nobody waits for the voucher any more. Until the controller is asked, that ends the order. */
  readonly signal?: AbortSignal;
}

export interface OrderedVoucher extends CreatedVoucher {
  /** Is this the first answer again? */
  readonly replayed: boolean;
}

export interface OrderingOptions {
  storage: Storage;
  sites: SiteDirectory;
  effects: Effects;
  metrics: Metrics;
  log: Log;
  /** Called when a notification was put into the outbox. */
  announced(): void;
  /** How long a controller may take. */
  deadlineMs: number;
}

/** Orders a voucher: intent, controller, record. */
export type OrderVoucher = (order: Order, orderer: Orderer) => Promise<OrderedVoucher>;

export const makeOrderVoucher = (options: OrderingOptions): OrderVoucher => {
  const { storage, sites, effects, metrics, log, deadlineMs } = options;
  const ask = makeAsk(options);
  const recordAlike = makeRecordAlike(options);

  const earlierAnswer = async (claim: IdempotencyClaim): Promise<OrderedVoucher | undefined> => {
    const earlier = await storage.idempotency.find(claim, effects.now());
    if (!earlier) return undefined;
    if (!isRepetition(claim.fingerprint, earlier.fingerprint)) throw new Problem('idempotency_mismatch');
    if (earlier.answer === null) throw inProgress(deadlineMs);
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
  const leaveOpen = async (intent: Intent, { controller }: Site, isVoid: boolean): Promise<void> => {
    try {
      await storage.intents.end(intent.id, {
        at: effects.now(),
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

  return async (order, orderer) => {
    const claim = claimOf(order, orderer);
    const earlier = claim && (await earlierAnswer(claim));
    if (earlier) return earlier;

    const site = await sites.findActive(order.site_id).catch((error: unknown) => {
      throw forClient(error);
    });
    if (!site) throw new Problem('not_found');

    if (orderer.signal?.aborted) throw dropped(orderer.signal);
    const intent = intentOf(order, site, orderer, effects);
    const begun = await storage.intents.begin({ intent, claim }).catch((error: unknown) => {
      // It may have been written all the same, and nobody would ask a controller for it.
      if (error instanceof DatabaseUnavailable) void abandon(intent);
      throw error;
    });
    if (!begun) {
      // Somebody else was faster with the same idempotency key.
      const faster = claim && (await earlierAnswer(claim));
      if (faster) return faster;
      throw inProgress(deadlineMs);
    }
    // The database may have kept it waiting.
    if (orderer.signal?.aborted) {
      await abandon(intent);
      throw dropped(orderer.signal);
    }

    // The time counts from the intent on, as it does for the reconciler, which takes over when it is up.
    const leftMs = Math.min(deadlineMs, intent.createdAt + deadlineMs - effects.now());
    if (leftMs <= 0) {
      metrics.droppedOrder('deadline');
      await abandon(intent);
      throw serverError(
        'Der Auftrag konnte nicht rechtzeitig gespeichert werden',
        new Error('the deadline passed before the intent was stored'),
      );
    }

    let made: ControllerVoucher | undefined;
    try {
      [made] = await ask(site, intent, leftMs);
    } catch (error) {
      if (error instanceof OutcomeUnknown) await leaveOpen(intent, site, false);
      else await abandon(intent);
      throw forClient(error);
    }
    if (!hasCode(made)) {
      // Steps 7 and 8: the client is told that there is none, so what there may be after all is revoked.
      await leaveOpen(intent, site, true);
      throw new Problem('upstream_error');
    }

    const record = async (voucher: CodedVoucher): Promise<CreatedVoucher | undefined> => {
      const { created, record: written } = recordOf(intent, site, voucher, effects);
      if (!(await storage.vouchers.record({ ...written, answer: claim && JSON.stringify(created) })))
        return undefined;
      options.announced();
      return created;
    };
    const created = (await record(made)) ?? (await recordAlike({ intent, site, made, record }));
    if (created) return { ...created, replayed: false };
    await leaveOpen(intent, site, false);
    throw serverError(
      'Der Voucher wurde von einem anderen Vorgang erfasst',
      new Error('the voucher was recorded by another process, for another order'),
    );
  };
};

/** A controller that is told to stop says at once whether it had begun; one that does not leaves it unknown. */
const lastWordMs = 250;

/** Asks the controller, with a deadline: no answer in time is an unknown outcome, unless it was never asked. */
const makeAsk =
  ({ metrics, effects, deadlineMs }: OrderingOptions) =>
  async (site: Site, intent: Intent, leftMs: number): Promise<readonly ControllerVoucher[]> => {
    const { name, maxUses, expireMinutes, down, up, quotaMb } = intent;
    const order = { controllerSite: site.controllerSite, name, maxUses, expireMinutes, down, up, quotaMb };
    const started = effects.now();
    const abort = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        timer = setTimeout(() => {
          reject(new OutcomeUnknown(undefined, { trouble: 'timeout', seconds: deadlineMs / 1000 }));
        }, lastWordMs);
        abort.abort();
      }, leftMs);
    });
    let outcome = 'answer';
    try {
      return await Promise.race([site.controller.create(order, 1, abort.signal), late]);
    } catch (error) {
      outcome = error instanceof OutcomeUnknown ? 'unknown' : 'refusal';
      throw error;
    } finally {
      clearTimeout(timer);
      metrics.controllerCall(site.controllerKind, 'create', outcome, (effects.now() - started) / 1000);
    }
  };

const intentOf = (order: Order, site: Site, orderer: Orderer, effects: Effects): Intent => {
  const createdAt = effects.now();
  return {
    id: newId(effects),
    siteId: site.id,
    name: storedName(order.name, createdAt),
    maxUses: order.max_uses,
    expireMinutes: order.expire_minutes,
    down: order.qos.down,
    up: order.qos.up,
    quotaMb: order.qos.quota_mb,
    source: orderer.source,
    createdAt,
  };
};

const claimOf = (order: Order, { apiKeyId, idempotencyKey, sent }: Orderer): IdempotencyClaim | undefined =>
  idempotencyKey === undefined
    ? undefined
    : { apiKeyId, idempotencyKey, fingerprint: fingerprintOf(sent, order) };

/** A controller's trouble in the client's language. Any other exception keeps its own text. */
const forClient = (error: unknown): unknown => {
  if (error instanceof ControllerError || error instanceof OutcomeUnknown)
    return serverError(germanText(error), error);
  if (error instanceof SecretError)
    return serverError('Die Zugangsdaten des Controllers lassen sich nicht öffnen', error);
  if (error instanceof SettingsError)
    return serverError('Die Einstellungen des Controllers sind nicht verwendbar', error);
  return error;
};

/** What the client reads, in German; the log has the cause. */
const serverError = (message: string, cause: Error): Problem =>
  new Problem('server_error', { message: publicText(message) }, {}, cause);

const inProgress = (deadlineMs: number): Problem =>
  new Problem(
    'idempotency_in_progress',
    {},
    { 'Retry-After': String(Math.max(1, Math.ceil(deadlineMs / 1000))) },
  );
