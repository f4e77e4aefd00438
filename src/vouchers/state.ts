import type { components } from '../../generated/web.js';

/**
 * What people are told about a voucher: it is `gone` when its controller no longer has it before its time is
 * over.
 */
export type VoucherState = components['schemas']['VoucherState'];

/** What is recorded of it, which the API calls its status. */
export type RecordedState = Extract<VoucherState, 'valid' | 'used' | 'expired'>;

interface RecordedVoucher {
  readonly status: RecordedState;
  readonly usedCount: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

/**
 * The recorded state at a time: a voucher whose expiry has passed is expired even before the sync records it.
 */
export const recordedStateAt = (
  { status, expiresAt }: Pick<RecordedVoucher, 'status' | 'expiresAt'>,
  now: number,
): RecordedState => (expiresAt !== null && expiresAt <= now ? 'expired' : status);

/** The clock of a controller that says that a voucher has expired may be ahead by this. */
export const clockToleranceMs = 5 * 60_000;

/** The state at a time. A voucher that was used, and may be used again, is in use. */
export const stateAt = (voucher: RecordedVoucher, now: number): VoucherState => {
  if (voucher.revokedAt !== null) return 'revoked';
  // Its time begins with the first sign-in.
  const leftMs = voucher.expiresAt === null ? Infinity : voucher.expiresAt - now;
  if (voucher.status === 'expired') return leftMs > clockToleranceMs ? 'gone' : 'expired';
  const state = recordedStateAt(voucher, now);
  return state === 'valid' && voucher.usedCount > 0 ? 'in-use' : state;
};

/** A code that is no longer valid is neither printed nor sent. */
export const mayBeHandedOut = (voucher: RecordedVoucher, now: number): boolean =>
  !['revoked', 'expired', 'gone'].includes(stateAt(voucher, now));

/** `stateAt` as an expression of SQL, for statements that count: a test compares both. */
export const stateSql = (now: number): { readonly sql: string; readonly bindings: readonly number[] } => ({
  sql: `case
    when revoked_at is not null then 'revoked'
    when status = 'expired' then case when coalesce(expires_at > ?, true) then 'gone' else 'expired' end
    when coalesce(expires_at <= ?, false) then 'expired'
    when status = 'valid' and used_count > 0 then 'in-use'
    else status end`,
  bindings: [now + clockToleranceMs, now],
});
