import type { Database } from '../../database/database.js';
import { clockToleranceMs, type VoucherState } from '../state.js';

/** An order of several vouchers, as one row of a list. */
export interface OrderRow {
  readonly id: string;
  /** With the date in front; its vouchers may have names of their own. */
  readonly name: string;
  /** The voucher of the list that stands for it. */
  readonly voucherId: number;
  readonly count: number;
  /** How many of its vouchers are in each state; only states that one is in. */
  readonly states: { state: VoucherState; count: number }[];
}

export interface OrderStates {
  /** The orders of several vouchers that the given vouchers are the first of. */
  ofFirst(voucherIds: readonly number[], now: number): Promise<OrderRow[]>;
}

/** The state at a time, as `stateAt` in vouchers/state.ts says it. Takes the time twice. */
const stateSql = `case when revoked_at is not null then 'revoked'
  when status = 'expired' and (expires_at is null or expires_at - ? > ${String(clockToleranceMs)}) then 'gone'
  when status = 'expired' or expires_at <= ? then 'expired'
  when status = 'valid' and used_count > 0 then 'in-use' else status end`;

export const makeOrderStates = ({ read }: Pick<Database, 'read'>): OrderStates => ({
  ofFirst: async (voucherIds, now) => {
    if (voucherIds.length === 0) return [];
    const first = await read('vouchers')
      .whereIn('id', voucherIds)
      .whereNotNull('intent_id')
      .whereExists((others) =>
        others
          .from('vouchers as others')
          .select(read.raw('1'))
          .whereRaw('others.intent_id = vouchers.intent_id and others.position > 0'),
      )
      .select<{ id: string; voucherId: number; name: string; controllerName: string | null }[]>({
        id: 'intent_id',
        voucherId: 'id',
        name: 'name',
        controllerName: 'controller_name',
      });
    if (first.length === 0) return [];
    const counted = await read('vouchers')
      .whereIn(
        'intent_id',
        first.map(({ id }) => id),
      )
      .groupByRaw('1, 2')
      .select<{ id: string; state: VoucherState; count: number }[]>(
        { id: 'intent_id' },
        read.raw(`${stateSql} as state`, [now, now]),
        read.raw('count(*) as count'),
      );
    return first.map(({ id, voucherId, name, controllerName }) => {
      const states = counted
        .filter((row) => row.id === id)
        .map(({ state, count }) => ({ state, count }))
        .sort((a, b) => b.count - a.count || (a.state < b.state ? -1 : 1));
      const row = { id, voucherId, name: controllerName ?? name };
      return { ...row, states, count: states.reduce((sum, { count }) => sum + count, 0) };
    });
  },
});
