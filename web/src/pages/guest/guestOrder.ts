import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, client } from '../../api/api.ts';
import { invalidate } from '../../api/queryClient.ts';
import type { Schemas } from '../../api/schemas.ts';
import { randomUuid } from '../../lib/randomUuid.ts';
import { failureOf } from '../kiosk/takeVoucher.ts';
import { solve } from './solver.ts';

type Result = Schemas['GuestOrderResult'];

/** What a guest asks for. */
export interface Wish {
  readonly name: string;
  readonly profileId: number;
}

/** How often a page asks what became of it. */
const askMs = 3000;
/** After this long it is another visit. */
const keptMs = 30 * 60_000;

interface Kept extends Wish {
  readonly orderId: string;
  readonly at: number;
}

const nameOf = (slug: string): string => `voucherd.guest.${slug}`;

/** The order of this browser at this page, also after it was closed. */
const readKept = (slug: string): Kept | undefined => {
  try {
    const kept = JSON.parse(localStorage.getItem(nameOf(slug)) ?? 'null') as Kept | null;
    return kept && Math.abs(Date.now() - kept.at) < keptMs ? kept : undefined;
  } catch {
    return undefined;
  }
};

/** Is there nothing more to come? */
export const isSettled = ({ state }: Pick<Result, 'state'>): boolean => !['open', 'waiting'].includes(state);

/** Asks for a voucher, once, and follows what becomes of it. */
export const useGuestOrder = (slug: string) => {
  const queries = useQueryClient();
  const [kept, setKept] = useState(() => readKept(slug));
  const queryKey = ['get', '/guest/{slug}/orders/{orderId}', slug, kept?.orderId];
  const keep = (order: Kept | undefined): void => {
    if (order) localStorage.setItem(nameOf(slug), JSON.stringify(order));
    else localStorage.removeItem(nameOf(slug));
    setKept(order);
  };
  const order = useMutation({
    networkMode: 'always',
    mutationFn: async (wish: Wish) => {
      // Before anything is waited for: a double click, and a request whose answer was lost, are the same order.
      const earlier = readKept(slug);
      const orderId =
        earlier?.name === wish.name && earlier.profileId === wish.profileId ? earlier.orderId : randomUuid();
      const next = { ...wish, orderId, at: Date.now() };
      localStorage.setItem(nameOf(slug), JSON.stringify(next));
      const { data: puzzle } = await client.POST('/guest/{slug}/challenge', { params: { path: { slug } } });
      if (!puzzle) throw new Error('there is no puzzle');
      const numbers = await solve({ ...puzzle, orderId });
      const { data } = await client.PUT('/guest/{slug}/orders/{orderId}', {
        params: { path: { slug, orderId } },
        body: { ...wish, challenge: puzzle.challenge, numbers },
      });
      return { next, data };
    },
    onSuccess: ({ next, data }) => {
      queries.setQueryData(['get', '/guest/{slug}/orders/{orderId}', slug, next.orderId], data);
      keep(next);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) keep(undefined);
      // What is offered is looked up again.
      if (failureOf(error) === 'changed') void invalidate('/guest/{slug}');
    },
  });
  const result = useQuery({
    queryKey,
    enabled: kept !== undefined && !order.isPending,
    networkMode: 'always',
    retry: false,
    queryFn: async ({ signal }) => {
      const { data } = await client.GET('/guest/{slug}/orders/{orderId}', {
        params: { path: { slug, orderId: kept?.orderId ?? '' } },
        signal,
      });
      return data ?? null;
    },
    refetchInterval: ({ state: { data, error } }) => {
      if (error instanceof ApiError && error.status === 404) return false;
      return data && isSettled(data) ? false : askMs;
    },
  });
  const startAgain = (): void => {
    order.reset();
    keep(undefined);
  };
  const withdrawal = useMutation({
    networkMode: 'always',
    mutationFn: async (orderId: string) => {
      try {
        await client.DELETE('/guest/{slug}/orders/{orderId}', { params: { path: { slug, orderId } } });
        return true;
      } catch (error) {
        if (error instanceof ApiError && error.status === 409) return false;
        throw error;
      }
    },
    onSuccess: (isWithdrawn) => {
      if (isWithdrawn) startAgain();
      else void result.refetch();
    },
  });
  const isForgotten = result.error instanceof ApiError && result.error.status === 404;
  return {
    /** Undefined while nothing was asked for. */
    result: kept && !isForgotten ? (result.data ?? undefined) : undefined,
    /** Something was asked for before, and it is being found out what became of it. */
    isFindingOut: kept !== undefined && !isForgotten && result.data === undefined && result.error === null,
    orderId: kept?.orderId ?? '',
    profileId: kept?.profileId,
    error: order.error ?? (isForgotten ? null : result.error),
    isPending: order.isPending,
    wish: order.variables,
    ask: order.mutate,
    /** Asks for it again, or what became of it. */
    retry: (): void => {
      if (order.error) order.mutate(order.variables);
      else void result.refetch();
    },
    startAgain,
    /** Asks nobody any more. Where the desk was faster, its decision is shown. */
    withdraw: {
      run: (): void => withdrawal.mutate(kept?.orderId ?? ''),
      isPending: withdrawal.isPending,
      error: withdrawal.error,
      dismiss: withdrawal.reset,
    },
  };
};
