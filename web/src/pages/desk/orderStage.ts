import type { Schemas } from '../../api/schemas.ts';

type Order = Schemas['Order'];

/** Why there is no voucher: the order failed, it was refused, or it never arrived. */
type OrderFailure = { readonly order: Order } | { readonly error: unknown } | 'lost';

export type OrderStage =
  | { readonly kind: 'typing'; readonly failure?: OrderFailure }
  /** Its answer is awaited. An order that was sent before a reload has none to come: the service is asked for it. */
  | { readonly kind: 'sending'; readonly isAsked: boolean }
  /** The answer was lost: nobody knows yet whether there is a voucher. The service is asked until it says so. */
  | { readonly kind: 'unknown' };

export type OrderEvent =
  | { readonly type: 'sent' }
  /** The service has the order, whatever became of it. */
  | { readonly type: 'settled'; readonly order: Order }
  | { readonly type: 'refused'; readonly error: unknown }
  /** Without a session nothing was looked at. */
  | { readonly type: 'signedOut' }
  /** Neither an answer nor a refusal. */
  | { readonly type: 'unanswered' }
  /** The service does not know the order. */
  | { readonly type: 'missing' }
  /** It goes on without this page. */
  | { readonly type: 'setAside' }
  /** What was wrong need not be shown any longer. */
  | { readonly type: 'read' };

/** Where an order begins: an id that is there already was sent before a reload, or before the session ended. */
export const firstStage = (orderId: string | null): OrderStage =>
  orderId === null ? { kind: 'typing' } : { kind: 'sending', isAsked: true };

/** Whether the service is asked what became of the order. */
export const isAsking = (stage: OrderStage): boolean =>
  stage.kind === 'unknown' || (stage.kind === 'sending' && stage.isAsked);

/** The next stage of an order. */
export const nextStage = (stage: OrderStage, event: OrderEvent): OrderStage => {
  switch (event.type) {
    case 'sent':
      return { kind: 'sending', isAsked: false };
    case 'settled':
      return { kind: 'typing', ...(event.order.state === 'failed' && { failure: { order: event.order } }) };
    case 'refused':
      return { kind: 'typing', failure: { error: event.error } };
    case 'missing':
      return { kind: 'typing', failure: 'lost' };
    case 'unanswered':
      return stage.kind === 'typing' ? stage : { kind: 'unknown' };
    case 'read':
      return stage.kind === 'typing' ? { kind: 'typing' } : stage;
    case 'signedOut':
    case 'setAside':
      return { kind: 'typing' };
  }
};
