import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useReducer } from 'react';
import { api, ApiError, client, isSignedOut } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { invalidate } from '../../api/queryClient.ts';
import { randomUuid } from '../../lib/randomUuid.ts';
import type { DeskSite } from '../../vouchers/voucher.ts';
import { emptyDraft, toOrder, type OrderDraft } from './orderDraft.ts';
import { firstStage, isAsking, nextStage } from './orderStage.ts';
import { awaitPrint } from './printAtOnce.ts';
import type { useOrderDraft } from './storedDraft.ts';

type Order = Schemas['Order'];

/** How often an order whose answer was lost is asked for. */
const findOutMs = 3000;

/** Whether the service has said that nothing was made; anything else leaves that open. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

/** Asks for an order again and again; null while the service does not know it. `round` keeps old answers apart. */
const useFindOrder = (orderId: string | null, isAsking: boolean, round = 0) =>
  useQuery({
    queryKey: ['find order', orderId, round],
    queryFn: async (): Promise<Order | null> => {
      if (orderId === null) return null;
      try {
        const { data } = await client.GET('/orders/{orderId}', { params: { path: { orderId } } });
        return data ?? null;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    enabled: isAsking && orderId !== null,
    refetchInterval: ({ state }) => (state.data ? false : findOutMs),
    refetchIntervalInBackground: true,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });

/** Whether the service has an order, asked until it has. */
export const useIsKnown = (orderId: string | null): boolean => Boolean(useFindOrder(orderId, true).data);

/** What was chosen for the orders of this tab, which the service does not tell. */
const chosenFor = new Map<
  string,
  Pick<OrderDraft, 'choice' | 'limits' | 'names' | 'heading' | 'isNumbered'>
>();

/** The draft of an order that is to be placed once more. */
export const draftOf = ({ id, siteId, name, count }: Order): Partial<OrderDraft> => ({
  siteId,
  name,
  count,
  ...chosenFor.get(id),
});

interface PlaceOrderOptions extends ReturnType<typeof useOrderDraft> {
  /** Called when an order is known to the service. */
  onOrder(order: Order): void;
}

/**
 * Sends the order of a draft, and finds out what became of it when the answer was lost. An order whose answer takes long
 * can be set aside: it goes on, and the form is free for the next guest.
 */
export const usePlaceOrder = ({ draft, change, read, onOrder }: PlaceOrderOptions) => {
  const [stage, dispatch] = useReducer(nextStage, draft.orderId, firstStage);
  /** Whether it is the order that somebody waits for; one that was set aside goes on below. */
  const isAwaited = (orderId: string): boolean => orderId === read().orderId;
  const follow = (): Promise<void> => invalidate('/vouchers', '/orders', '/orders/{orderId}', '/desk');
  const settle = (order: Order): void => {
    void follow();
    if (!isAwaited(order.id)) return;
    dispatch({ type: 'settled', order });
    // What was typed stays for another try, which is another order.
    change(order.state === 'failed' ? { orderId: null } : emptyDraft);
    if (order.state !== 'failed' || order.made > 0) onOrder(order);
  };
  const place = api.useMutation('put', '/orders/{orderId}', {
    // Without a network it fails at once, and says so.
    networkMode: 'always',
    onSuccess: settle,
    onError: (error: unknown, { params }: { params: { path: { orderId: string } } }) => {
      if (!isAwaited(params.path.orderId)) return;
      if (!isRefusal(error)) dispatch({ type: 'unanswered' });
      // The same order may be sent again.
      else if (isSignedOut(error)) dispatch({ type: 'signedOut' });
      else {
        change({ orderId: null });
        dispatch({ type: 'refused', error });
        // What is allowed may have changed.
        void invalidate('/desk');
      }
    },
  });
  const { data: found, isError } = useFindOrder(draft.orderId, isAsking(stage), place.submittedAt);
  const takeAnswer = useEffectEvent((): void => {
    if (!isAsking(stage)) return;
    if (found) settle(found);
    // It never arrived. Should it do so late, it has the same id as the next try.
    else if (found === null) dispatch({ type: 'missing' });
    // Until a question fails, somebody who waits need not be alarmed.
    else if (isError) dispatch({ type: 'unanswered' });
  });
  useEffect(() => takeAnswer(), [found, isError]);
  const submit = (site: DeskSite): void => {
    const body = toOrder(draft, site);
    if (!body || stage.kind === 'sending') return;
    // The page may have been left meanwhile, and come back: the same order then.
    const orderId = read().orderId ?? draft.orderId ?? randomUuid();
    const { choice, limits, names, heading, isNumbered } = draft;
    chosenFor.set(orderId, { choice, limits, names, heading, isNumbered });
    change({ orderId });
    awaitPrint(orderId);
    dispatch({ type: 'sent' });
    place.mutate({ params: { path: { orderId } }, body });
  };
  const setAside = (): void => {
    dispatch({ type: 'setAside' });
    change(emptyDraft);
    void follow();
  };
  return { stage, submit, setAside, reset: () => dispatch({ type: 'read' }) };
};
