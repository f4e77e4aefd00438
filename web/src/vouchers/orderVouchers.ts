import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/api.ts';
import type { Voucher } from './voucher.ts';

const orderQuery = (orderId: string) => ({
  queryKey: ['get', '/vouchers', 'order', orderId],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Voucher[]> => {
    const { data } = await client.GET('/vouchers', { params: { query: { orderId } }, signal });
    return data?.vouchers ?? [];
  },
});

/** Which orders are open, for a page that keeps them elsewhere. */
interface OpenedOrders {
  readonly ids: readonly string[];
  change(ids: readonly string[]): void;
}

/** The vouchers of orders that are one row each: fetched when an order is opened or selected, and kept up to date. */
export const useOrderVouchers = (kept?: OpenedOrders) => {
  const queryClient = useQueryClient();
  const [noted, setNoted] = useState<readonly string[]>([]);
  const [ownIds, setOwnIds] = useState<readonly string[]>([]);
  const { ids, change } = kept ?? { ids: ownIds, change: setOwnIds };
  const opened: ReadonlySet<string> = new Set(ids);
  const fetched = [...new Set([...noted, ...ids])];
  const answers = useQueries({ queries: fetched.map(orderQuery) });
  const vouchersOf = (orderId: string): readonly Voucher[] | undefined =>
    answers[fetched.indexOf(orderId)]?.data;
  const note = (orderId: string): void =>
    setNoted((known) => (known.includes(orderId) ? known : [...known, orderId]));
  return {
    opened,
    vouchersOf,
    fetchVouchers: async (orderId: string): Promise<readonly Voucher[]> => {
      note(orderId);
      return queryClient.query({ ...orderQuery(orderId), staleTime: 5000 });
    },
    toggle: (orderId: string): void => {
      note(orderId);
      change(opened.has(orderId) ? ids.filter((id) => id !== orderId) : [...ids, orderId]);
    },
  };
};
