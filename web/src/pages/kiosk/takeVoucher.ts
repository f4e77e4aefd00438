import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, client } from '../../api/api.ts';
import { invalidate } from '../../api/queryClient.ts';
import type { Schemas } from '../../api/schemas.ts';
import { randomUuid } from '../../lib/randomUuid.ts';

type Result = Schemas['KioskOrderResult'];

/** What a guest asks for. */
interface Wish {
  readonly name: string;
  readonly profileId: number;
}

/** A voucher in a guest's hands. */
export interface Taken {
  readonly orderId: string;
  readonly formattedCode: string;
  readonly profileId: number;
  readonly wifiPassword: string | null;
  readonly wifiJoinText: string | null;
}

/** How long an order that the controller has not answered is asked for again. */
const timeoutMs = 30_000;
const askAgainMs = 1500;

const orderName = 'voucherd.kiosk.order';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Kept until the outcome is known: who taps twice or reloads gets one voucher. Another wish is another order. */
const orderIdFor = (wish: Wish): string => {
  const wanted = JSON.stringify([wish.name, wish.profileId]);
  const [id, of] = (sessionStorage.getItem(orderName) ?? '').split('|', 2);
  if (id !== undefined && id !== '' && of === encodeURIComponent(wanted)) return id;
  const orderId = randomUuid();
  sessionStorage.setItem(orderName, `${orderId}|${encodeURIComponent(wanted)}`);
  return orderId;
};

/** Orders until the outcome is known, or for as long as a guest can be asked to wait. */
const take = async (token: string, wish: Wish): Promise<Result & { readonly orderId: string }> => {
  const orderId = orderIdFor(wish);
  const end = Date.now() + timeoutMs;
  for (;;) {
    const { data } = await client.PUT('/kiosk/orders/{orderId}', {
      params: { path: { orderId }, header: { 'X-Kiosk-Token': token } },
      body: wish,
    });
    if (data && data.state !== 'open') {
      sessionStorage.removeItem(orderName);
      return { ...data, orderId };
    }
    if (Date.now() > end)
      return {
        state: 'open',
        code: null,
        formattedCode: null,
        wifiPassword: null,
        wifiJoinText: null,
        orderId,
      };
    await pause(askAgainMs);
  }
};

/** What a guest is told when there is no code. */
export type KioskFailure =
  | 'limit'
  | 'device'
  | 'queue'
  | 'puzzle'
  | 'name'
  | 'withdrawn'
  | 'changed'
  | 'network'
  | 'down';

const limits: Readonly<Record<string, KioskFailure>> = {
  'device-limit': 'device',
  'guest-queue-full': 'queue',
};

/** A limit or a profile was changed while the page was open. */
const changes = [
  'time-limit',
  'uses-limit',
  'count-limit',
  'unknown-profile',
  'uses-not-kept',
  'rates-not-kept',
  'volume-not-kept',
  'limit-out-of-range',
];

export const failureOf = (error: unknown): KioskFailure => {
  if (!(error instanceof ApiError)) return 'down';
  if (error.status === 429) return limits[error.message] ?? 'limit';
  if (error.message.startsWith('challenge-')) return 'puzzle';
  if (error.message === 'daily-limit') return 'limit';
  if (changes.includes(error.message)) return 'changed';
  if (error.status === 404 || error.message === 'not-found') return 'withdrawn';
  if (error.status === 400) return 'name';
  return error.status === 0 ? 'network' : 'down';
};

/** Takes a voucher for the guest at the tablet. */
export const useTakeVoucher = (token: string) => {
  const [taken, setTaken] = useState<Taken>();
  const order = useMutation({
    mutationFn: (wish: Wish) => take(token, wish),
    networkMode: 'always',
    onSuccess: ({ formattedCode, wifiPassword, wifiJoinText, orderId }, { profileId }) =>
      setTaken(
        formattedCode === null
          ? undefined
          : { orderId, formattedCode, profileId, wifiPassword, wifiJoinText },
      ),
    onError: (error) => {
      // Refused: the next guest's order is another one.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500)
        sessionStorage.removeItem(orderName);
      // What is offered is looked up again.
      if (failureOf(error) === 'changed') void invalidate('/kiosk');
    },
  });
  const failure: KioskFailure | undefined = order.error
    ? failureOf(order.error)
    : order.data && order.data.state !== 'made'
      ? 'down'
      : undefined;
  return {
    taken,
    failure,
    isPending: order.isPending,
    /** What is being asked for, or was. */
    wish: order.variables,
    take: order.mutate,
    /** For the next guest. */
    reset: (): void => {
      setTaken(undefined);
      order.reset();
      sessionStorage.removeItem(orderName);
    },
  };
};
