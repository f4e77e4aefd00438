import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { randomUuid } from '../../lib/randomUuid.ts';

type Result = Schemas['KioskOrderResult'];

/** How long an order that the controller has not answered is asked for again. */
const patienceMs = 30_000;
const askAgainMs = 1500;

const orderName = 'voucherd.kiosk.order';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Orders until the outcome is known, or for as long as a guest can be asked to wait. */
const take = async (token: string, name: string): Promise<Result> => {
  // Kept until the outcome is known: who taps twice or reloads gets one voucher.
  const orderId = sessionStorage.getItem(orderName) ?? randomUuid();
  sessionStorage.setItem(orderName, orderId);
  const end = Date.now() + patienceMs;
  for (;;) {
    const { data } = await client.PUT('/kiosk/orders/{orderId}', {
      params: { path: { orderId }, header: { 'X-Kiosk-Token': token } },
      body: { name },
    });
    if (data && data.state !== 'open') {
      sessionStorage.removeItem(orderName);
      return data;
    }
    if (Date.now() > end) return { state: 'open', code: null, formattedCode: null };
    await pause(askAgainMs);
  }
};

/** What a guest is told when there is no code. */
export type KioskFailure = 'limit' | 'withdrawn' | 'network' | 'down';

export const failureOf = (error: unknown): KioskFailure => {
  if (!(error instanceof ApiError)) return 'down';
  if (error.status === 429) return 'limit';
  if (error.status === 404 || error.status === 400) return 'withdrawn';
  return error.status === 0 ? 'network' : 'down';
};

/** Takes a voucher for the guest at the tablet. */
export const useTakeVoucher = (token: string) => {
  const [code, setCode] = useState<string>();
  const order = useMutation({
    mutationFn: (name: string) => take(token, name),
    networkMode: 'always',
    onSuccess: ({ formattedCode }) => setCode(formattedCode ?? undefined),
    onError: (error) => {
      // Refused: the next guest's order is another one.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500)
        sessionStorage.removeItem(orderName);
    },
  });
  const failure: KioskFailure | undefined = order.error
    ? failureOf(order.error)
    : order.data && order.data.state !== 'made'
      ? 'down'
      : undefined;
  return {
    code,
    failure,
    isPending: order.isPending,
    take: order.mutate,
    /** For the next guest. */
    reset: (): void => {
      setCode(undefined);
      order.reset();
      sessionStorage.removeItem(orderName);
    },
  };
};
