import type { DeliveryState } from '../storage/deliveries.js';
import { commandLine } from './commandLine.js';
import { CommandError, plain, printList, time, timestamp, wholeNumber, type Io } from './io.js';
import { webhookNamed } from './webhookNamed.js';
import { withStorage } from './withStorage.js';

export interface DeliveriesOptions {
  state?: string;
  limit: string;
  json?: boolean;
}

const states: readonly DeliveryState[] = ['waiting', 'delivered', 'failed'];

export const listDeliveries = (io: Io, name: string | undefined, options: DeliveriesOptions): Promise<void> =>
  withStorage(io, async ({ storage }) => {
    const limit = wholeNumber('--limit', options.limit, 1, 1000);
    const state = stateOf(options.state);
    const webhookId = name === undefined ? undefined : (await webhookNamed(storage, name)).id;
    const names = new Map((await storage.webhooks.all()).map((webhook) => [webhook.id, webhook.name]));
    const filter = { ...(webhookId !== undefined && { webhookId }), ...(state !== undefined && { state }) };
    const deliveries = (await storage.deliveries.newest(filter, limit)).map(
      ({ id, webhookId: of, state, tries, at, reason, notification }) => ({
        id,
        webhook: names.get(of) ?? '',
        state,
        tries,
        at: timestamp(at),
        reason,
        notification: { ...notification, createdAt: timestamp(notification.createdAt) },
      }),
    );
    printList(
      io,
      options.json,
      deliveries,
      ({ id, webhook, state, tries, at, reason, notification }) => ({
        id: String(id),
        webhook,
        state,
        tries: String(tries),
        'due or settled': time(at),
        created: time(notification.createdAt),
        vouchers: String(notification.count),
        site: plain(notification.site),
        source: plain(notification.source),
        reason: reason === null ? '-' : plain(reason),
      }),
      'no such deliveries',
    );
  });

const stateOf = (given: string | undefined): DeliveryState | undefined => {
  if (given === undefined) return undefined;
  const state = states.find((one) => one === given);
  if (state) return state;
  throw new CommandError(`--state: "${given}" is not allowed: one of ${states.join(', ')}`);
};

export const resendDelivery = (io: Io, given: string, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ storage, clock }) => {
    const id = wholeNumber('id', given, 1, Number.MAX_SAFE_INTEGER);
    if (!(await storage.deliveries.resend(id, clock.now())))
      throw new CommandError(`there is no delivery ${given}: see ${commandLine('webhook deliveries')}`);
    io.out(json ? `${JSON.stringify({ id, state: 'waiting' })}\n` : `delivery ${given} waits to be sent\n`);
  });
