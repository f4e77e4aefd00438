import { clockToleranceMs } from './state.js';

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
