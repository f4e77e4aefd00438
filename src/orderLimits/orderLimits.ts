import { draftAudit, type Actor } from '../audit/audit.js';
import type { AuditEntry } from '../audit/auditTable.js';
import type { VoucherLimits } from '../controllers/voucherLimits.js';
import { Refusal } from '../errors/problem.js';
import type { Clock } from '../lib/system.js';
import type { Role } from '../users/roles.js';
import type { OrderLimit, OrderLimitConflict, OrderLimitTable, OrderLimitValues } from './orderLimitTable.js';

export type { OrderLimit };

/** Who can be limited: the roles of users who may order, and kiosks. A new kind of orderer is added here. */
export const limitedRoles = ['staff', 'admin', 'kiosk', 'guest'] as const;
export type LimitedRole = (typeof limitedRoles)[number];
/** Who an order may come from, as far as rules are concerned. */
export type OrdererRole = LimitedRole | Role;

export const isLimitedRole = (role: string): role is LimitedRole =>
  limitedRoles.some((known) => known === role);

/** The rules for what may be ordered. All throw `Refusal`, and then nothing has changed. */
export interface OrderLimits {
  list(): Promise<OrderLimit[]>;
  add(values: OrderLimitValues, actor: Actor): Promise<OrderLimit>;
  /** Replaces all of it. */
  change(id: number, values: OrderLimitValues, actor: Actor): Promise<OrderLimit>;
  remove(id: number, actor: Actor): Promise<void>;
}

export const makeOrderLimits = (table: OrderLimitTable, clock: Clock): OrderLimits => ({
  list: table.all,
  add: async (values, actor) => {
    assertOrderLimit(values);
    const id = await table.add(
      values,
      draftAudit(actor, 'limit.add', clock.now(), summarizeOrderLimit(values)),
    );
    if (typeof id === 'string') throw refusalOf(id);
    return { id, ...values };
  },
  change: async (id, values, actor) => {
    assertOrderLimit(values);
    const audit = draftAudit(actor, 'limit.change', clock.now(), summarizeOrderLimit(values));
    const outcome = await table.change(id, values, audit);
    if (outcome !== 'changed') throw refusalOf(outcome);
    return { id, ...values };
  },
  remove: async (id, actor) => {
    const outcome = await table.remove(id, draftAudit(actor, 'limit.remove', clock.now()));
    if (outcome !== 'removed') throw refusalOf(outcome);
  },
});

/** Throws `Refusal` for a rule that makes no sense. */
export const assertOrderLimit = ({ role, requiresName }: OrderLimitValues): void => {
  if (!isLimitedRole(role)) throw new Refusal('role-invalid', 'there is no such role', 'invalid');
  if ((role === 'kiosk' || role === 'guest') && requiresName)
    throw new Refusal('name-set-at-kiosk', 'each kiosk says itself whether it asks for a name', 'invalid');
};

/** What the audit log says of a rule. */
export const summarizeOrderLimit = (values: OrderLimitValues): AuditEntry['detail'] => {
  const { allowsCustom, maxExpireMinutes, maxUses, maxCount, maxPerDay, requiresName } = values;
  return { allowsCustom, expireMinutes: maxExpireMinutes, maxUses, maxCount, maxPerDay, requiresName };
};

const refusalOf = (conflict: OrderLimitConflict): Refusal => {
  switch (conflict) {
    case 'limit-taken':
      return new Refusal(conflict, 'there is a rule for this role and this site');
    case 'unknown-site':
      return new Refusal(conflict, 'there is no such site');
    case 'unknown-limit':
      return new Refusal(conflict, 'there is no such rule', 'missing');
  }
};

/**
 * The rule that applies to a role at a site: the one for that site, else the one for all sites. They do not
 * combine, so that one rule says everything. Undefined where there is none: then nothing is limited.
 */
export const findOrderLimit = (
  rules: readonly OrderLimit[],
  role: OrdererRole,
  siteId: number,
): OrderLimit | undefined => {
  const ofRole = rules.filter((rule) => rule.role === role);
  return ofRole.find((rule) => rule.siteId === siteId) ?? ofRole.find((rule) => rule.siteId === null);
};

/** Where a rule counts: at its site, or at all sites for which its role has no other. */
export interface RuleScope {
  readonly ruleId: number;
  /** The only site, or null for all but the others. */
  readonly siteId: number | null;
  readonly otherSiteIds: readonly number[];
}

export const scopeOf = ({ id, role, siteId }: OrderLimit, rules: readonly OrderLimit[]): RuleScope => ({
  ruleId: id,
  siteId,
  otherSiteIds:
    siteId === null ? rules.flatMap((rule) => (rule.role === role ? (rule.siteId ?? []) : [])) : [],
});

/** Whether what a site had counts for a rule. */
export const isInScope = ({ siteId, otherSiteIds }: RuleScope, site: number): boolean =>
  siteId === null ? !otherSiteIds.includes(site) : siteId === site;

/** What is ordered, as far as it can be limited. */
export interface LimitedOrder {
  readonly count: number;
  /** Whom it is for. */
  readonly name: string;
  /** Those of a profile, too: a limit holds for everything. */
  readonly limits: Pick<VoucherLimits, 'expireMinutes' | 'maxUses'>;
  /** Are they values of one's own? */
  readonly isCustom: boolean;
}

/** Whether values are within a rule. */
export const allowsLimits = (
  { maxExpireMinutes, maxUses }: Pick<OrderLimit, 'maxExpireMinutes' | 'maxUses'>,
  limits: LimitedOrder['limits'],
): boolean =>
  limits.expireMinutes <= (maxExpireMinutes ?? Infinity) && limits.maxUses <= (maxUses ?? Infinity);

/**
 * Throws `Refusal`, with the limit, for an order that a rule does not allow.
 * Vouchers per day are counted when it is stored.
 */
export const checkOrderLimits = (rule: OrderLimit | undefined, order: LimitedOrder): void => {
  if (!rule) return;
  const { allowsCustom, maxExpireMinutes, maxUses, maxCount, requiresName } = rule;
  if (order.isCustom && !allowsCustom)
    throw new Refusal('custom-not-allowed', 'only profiles may be ordered');
  if (order.limits.expireMinutes > (maxExpireMinutes ?? Infinity))
    throw limitRefusal('time-limit', 'longer than allowed', { minutes: maxExpireMinutes ?? 0 });
  if (order.limits.maxUses > (maxUses ?? Infinity))
    throw limitRefusal('uses-limit', 'more sign-ins than allowed', { most: maxUses ?? 0 });
  checkOrderCount(order.count, maxCount);
  if (requiresName && order.name === '')
    throw new Refusal('note-required', 'an order has to say whom it is for');
};

/** Throws `Refusal` for more vouchers than an order may have. */
export const checkOrderCount = (count: number, most: number | null | undefined): void => {
  if (count > (most ?? Infinity))
    throw limitRefusal('count-limit', 'more at once than allowed', { most: most ?? 0 });
};

const limitRefusal = (code: string, message: string, values: Readonly<Record<string, number>>): Refusal =>
  new Refusal(code, message, 'refused', values);

/** More vouchers than may be ordered today. */
export interface DailyOverrun {
  readonly most: number;
  /** How many may still be ordered. */
  readonly left: number;
}

export const dailyLimitRefusal = ({ most, left }: DailyOverrun): Refusal =>
  limitRefusal('daily-limit', 'more vouchers than may be ordered in a day', { most, left });

/** When the day began, by the time zone of the service, which vouchers are dated by, too. */
export const startOfDay = (now: number): number => new Date(now).setHours(0, 0, 0, 0);
