import type { components } from '../../generated/openapi.js';
import { ControllerError, OutcomeUnknown, SettingsError } from '../controllers/errors.js';
import { describeInGerman } from '../controllers/failureMessages.js';
import { Problem } from '../errors/problem.js';
import { newId, type System } from '../lib/system.js';
import { SecretError } from '../secrets/encryption.js';
import type { ConnectedSite, SiteDirectory } from '../controllers/siteDirectory.js';
import { assertLimitsKept } from '../controllers/keptLimits.js';
import type { IdempotencyClaim } from './idempotencyKeyTable.js';
import type { Intent } from './intentTable.js';
import type { VoucherTables } from './voucherTables.js';
import { fingerprintOrder, inProgressProblem, makeFindEarlierAnswer } from './idempotency.js';
import { buildStoredName, toCreatedVoucher, type CreatedVoucher } from './record.js';
import { serverProblem, type CreateVouchers } from './createVouchers.js';
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

interface OrderVoucherDeps {
  tables: VoucherTables;
  sites: SiteDirectory;
  system: System;
  createVouchers: CreateVouchers;
  /** How long a controller may take. */
  deadlineMs: number;
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
