import type { Config } from '../config/config.js';
import type { RetentionKind } from './retentionKinds.js';

/** How long records of one kind are kept once nobody needs them any more. */
export interface RetentionTerm {
  readonly kind: RetentionKind;
  /** Null when they are kept for good; 0 when they go with the end of the day. */
  readonly days: number | null;
  /** The variable that sets it; null when it is fixed. */
  readonly setting: string | null;
}

/** How long each kind of record is kept, for people. */
export const listRetentionTerms = ({
  retention,
  auditDays,
}: Pick<Config, 'retention' | 'auditDays'>): RetentionTerm[] => [
  { kind: 'vouchers', days: retention.vouchersDays ?? null, setting: 'RETAIN_VOUCHERS_DAYS' },
  { kind: 'orders', days: retention.ordersDays, setting: 'RETAIN_ORDERS_DAYS' },
  { kind: 'deliveries', days: retention.deliveredDays, setting: 'RETAIN_DELIVERIES_DAYS' },
  { kind: 'emails', days: retention.emailsDays, setting: 'RETAIN_EMAILS_DAYS' },
  { kind: 'audit', days: auditDays, setting: 'AUDIT_DAYS' },
  { kind: 'sessions', days: 0, setting: null },
  { kind: 'usage', days: retention.usageDays, setting: 'RETAIN_USAGE_DAYS' },
];
