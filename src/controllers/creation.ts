import type { Controller, ControllerVoucher, VoucherOrder } from './controller.js';
import { ControllerError, deadlineError, OutcomeUnknown } from './errors.js';
import { makeCallQueue } from './https/queue.js';

// What creating vouchers takes on controllers that show them only when they are asked for again.

type CreateVouchers = (
  order: VoucherOrder,
  count: number,
  signal: AbortSignal,
) => Promise<readonly ControllerVoucher[]>;

interface OrderQueueOptions {
  /** The controller's name, for messages. */
  readonly name: string;
  /** How many orders may be in flight. */
  readonly maxOrders: number;
}

/**
 * Limits the orders in flight, apart from the calls: reading back
 * created vouchers must not wait behind orders that have not started.
 */
export const queueOrders = (
  create: CreateVouchers,
  { name, maxOrders }: OrderQueueOptions,
): Controller['create'] => {
  const queue = makeCallQueue(maxOrders);
  return (order, count, signal = new AbortController().signal) =>
    queue.add(
      () => create(order, count, signal),
      signal,
      () => deadlineError(name),
    );
};

/** Reads vouchers back that the controller has created: every failure leaves the order open. */
export const readCreated = async <T>(name: string, read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof OutcomeUnknown && error.code === 'not-read') throw error;
    const isFailure = error instanceof ControllerError || error instanceof OutcomeUnknown;
    throw new OutcomeUnknown(name, { kind: 'not-read', cause: isFailure ? error.failure : undefined });
  }
};

export const assertCount = (name: string, count: number, most: number): void => {
  if (!Number.isInteger(count) || count < 1 || count > most)
    throw new ControllerError(name, { kind: 'bounds', reason: 'count', from: 1, to: most });
};
