import { useEffect, useRef, useState } from 'react';
import { api, ApiError, client, isSignedOut } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { invalidate, queryClient } from '../../api/queryClient.ts';
import { randomUuid } from '../../lib/randomUuid.ts';
import type { DeskSite } from '../../vouchers/voucher.ts';
import { emptyDraft, toOrder, type OrderDraft } from './orderDraft.ts';
import type { useOrderDraft } from './storedDraft.ts';

type Order = Schemas['Order'];

/** How often an order whose answer was lost is asked for. */
const findOutMs = 3000;

/** Whether the service has said that nothing was made; anything else leaves that open. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

/** The order as the service knows it, or null if it does not. Through the cache, which notices an ended session. */
const findOrder = (orderId: string): Promise<Order | null> =>
  queryClient.query({
    queryKey: ['find order', orderId],
    queryFn: async () => {
      try {
        const { data } = await client.GET('/orders/{orderId}', { params: { path: { orderId } } });
        return data ?? null;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });

/** Whether the service has an order, asked until it has. */
export const useIsKnown = (orderId: string | null): boolean => {
  const [knownId, setKnownId] = useState<string>();
  const isKnown = orderId !== null && orderId === knownId;
  useEffect(() => {
    if (orderId === null || isKnown) return;
    let isOver = false;
    const ask = async (): Promise<void> => {
      const found = await findOrder(orderId).catch(() => null);
      if (!isOver && found) setKnownId(orderId);
    };
    void ask();
    const timer = setInterval(() => void ask(), findOutMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [orderId, isKnown]);
  return isKnown;
};

/** What was chosen for the orders of this tab, which the service does not tell. */
const chosenFor = new Map<string, Pick<OrderDraft, 'choice' | 'limits'>>();

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

export type OrderStage =
  | {
      readonly kind: 'typing';
      readonly trouble?: { readonly order: Order } | { readonly error: unknown } | 'lost';
    }
  | { readonly kind: 'sending' }
  /** The answer was lost: nobody knows yet whether there is a voucher. */
  | { readonly kind: 'unknown' };

/**
 * Sends the order of a draft, and finds out what became of it when the answer was lost. An order whose answer takes long
 * can be set aside: it goes on, and the form is free for the next guest.
 */
export const usePlaceOrder = ({ draft, change, read, onOrder }: PlaceOrderOptions) => {
  // An id that is there at first was sent before a reload, or before the session ended.
  const [isSent, setSent] = useState(draft.orderId !== null);
  // Until a question fails, somebody who waits need not be alarmed.
  const [isCutOff, setCutOff] = useState(false);
  const isBusy = useRef(false);
  const [trouble, setTrouble] = useState<(OrderStage & { kind: 'typing' })['trouble']>();
  /** Whether it is the order that somebody waits for; one that was set aside goes on below. */
  const isAwaited = (orderId: string): boolean => orderId === read().orderId;
  const follow = (): Promise<void> => invalidate('/vouchers', '/orders', '/orders/{orderId}');
  const settle = (order: Order): void => {
    void follow();
    if (!isAwaited(order.id)) return;
    setSent(false);
    if (order.state === 'failed') {
      // What was typed stays for another try, which is another order.
      change({ orderId: null });
      setTrouble({ order });
    } else change(emptyDraft);
    if (order.state !== 'failed' || order.made > 0) onOrder(order);
  };
  const place = api.useMutation('put', '/orders/{orderId}', {
    // Without a network it fails at once, and says so.
    networkMode: 'always',
    onSuccess: (order: Order) => {
      if (isAwaited(order.id)) isBusy.current = false;
      settle(order);
    },
    onError: (error: unknown, { params }: { params: { path: { orderId: string } } }) => {
      if (!isAwaited(params.path.orderId)) return;
      isBusy.current = false;
      if (!isRefusal(error)) {
        setCutOff(true);
        return;
      }
      setSent(false);
      // Without a session nothing was looked at: the same order may be sent again.
      if (isSignedOut(error)) return;
      change({ orderId: null });
      setTrouble({ error });
    },
  });
  const settleFound = useRef((_order: Order | null): void => {});
  useEffect(() => {
    settleFound.current = (order) => {
      if (order) settle(order);
      else {
        // It never arrived. Should it do so late, it has the same id as the next try.
        setSent(false);
        setTrouble('lost');
      }
    };
  });
  const isLost = isSent && !place.isPending;
  const { orderId: lostId } = draft;
  useEffect(() => {
    if (!isLost || lostId === null) return;
    let isOver = false;
    const ask = async (): Promise<void> => {
      const found = await findOrder(lostId).catch(() => undefined);
      if (isOver) return;
      if (found === undefined) setCutOff(true);
      else settleFound.current(found);
    };
    void ask();
    const timer = setInterval(() => void ask(), findOutMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [isLost, lostId]);
  const submit = (site: DeskSite): void => {
    const body = toOrder(draft, site);
    // A double click comes before the button is disabled.
    if (!body || isBusy.current) return;
    isBusy.current = true;
    // The page may have been left meanwhile, and come back: the same order then.
    const orderId = read().orderId ?? draft.orderId ?? randomUuid();
    chosenFor.set(orderId, { choice: draft.choice, limits: draft.limits });
    change({ orderId });
    setTrouble(undefined);
    setCutOff(false);
    setSent(true);
    place.mutate({ params: { path: { orderId } }, body });
  };
  const stage: OrderStage =
    place.isPending || (isSent && !isCutOff)
      ? { kind: 'sending' }
      : isSent
        ? { kind: 'unknown' }
        : { kind: 'typing', ...(trouble !== undefined && { trouble }) };
  const setAside = (): void => {
    isBusy.current = false;
    place.reset();
    setSent(false);
    setTrouble(undefined);
    change(emptyDraft);
    void follow();
  };
  return { stage, submit, setAside, reset: () => setTrouble(undefined) };
};
