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

/** The vouchers of orders that are one row each: fetched when an order is opened or selected, and kept up to date. */
export const useOrderVouchers = () => {
  const queryClient = useQueryClient();
  const [fetched, setFetched] = useState<readonly string[]>([]);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const answers = useQueries({ queries: fetched.map(orderQuery) });
  const vouchersOf = (orderId: string): readonly Voucher[] | undefined =>
    answers[fetched.indexOf(orderId)]?.data;
  const note = (orderId: string): void =>
    setFetched((known) => (known.includes(orderId) ? known : [...known, orderId]));
  return {
    opened,
    vouchersOf,
    fetchVouchers: async (orderId: string): Promise<readonly Voucher[]> => {
      note(orderId);
      return queryClient.query({ ...orderQuery(orderId), staleTime: 5000 });
    },
    toggle: (orderId: string): void => {
      note(orderId);
      const next = new Set(opened);
      if (!next.delete(orderId)) next.add(orderId);
      setOpened(next);
    },
  };
};
