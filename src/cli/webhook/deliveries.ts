import { Refusal } from '../../errors/problem.js';
import { describeReason } from '../../i18n/storedReasons.js';
import type { WebhookTestResult } from '../../webhooks/webhookTest.js';
import type { DeliveryState } from '../../webhooks/deliveryTable.js';
import type { ControllerOutage, VouchersCreated } from '../../webhooks/notificationTable.js';
import {
  CommandError,
  formatTime,
  formatTimestamp,
  parseWholeNumber,
  parseChoice,
  printList,
  printResult,
  type Io,
} from '../io.js';
import { sanitizeLine } from '../../lib/label.js';
import { findWebhook, notFound } from '../lookup.js';
import { commandLineActor, withTables } from '../openTables.js';
import { withWebhooks } from './administration.js';

export interface DeliveriesOptions {
  state?: string;
  limit: string;
  json?: boolean;
}

const deliveryStates: readonly DeliveryState[] = ['waiting', 'delivered', 'failed'];

/** Lists deliveries, the newest first. */
export const printDeliveries = (
  io: Io,
  name: string | undefined,
  options: DeliveriesOptions,
): Promise<void> =>
  withTables(io, async ({ tables }) => {
    const limit = parseWholeNumber('--limit', options.limit, 1, 1000);
    const state = parseDeliveryState(options.state);
    const webhookId = name === undefined ? undefined : (await findWebhook(tables, name)).id;
    const names = new Map((await tables.webhooks.all()).map((webhook) => [webhook.id, webhook.name]));
    const filter = { ...(webhookId !== undefined && { webhookId }), ...(state !== undefined && { state }) };
    const deliveries = (await tables.deliveries.newest(filter, limit)).map(
      ({ id, webhookId: of, state, tries, at, reason, notification }) => ({
        id,
        webhook: names.get(of) ?? '',
        state,
        tries,
        at: formatTimestamp(at),
        reason: reason && describeReason('attempt', reason).en,
        notification: { ...notification, createdAt: formatTimestamp(notification.createdAt) },
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
        'due or settled': formatTime(at),
        created: formatTime(notification.createdAt),
        ...toNotificationCells(notification),
        reason: reason === null ? '-' : sanitizeLine(reason),
      }),
      'no such deliveries',
    );
  });

/** An outage has no vouchers; its source is the controller. */
const toNotificationCells = (
  notification: Omit<VouchersCreated, 'createdAt'> | Omit<ControllerOutage, 'createdAt'>,
) =>
  notification.type === 'voucher.created'
    ? {
        type: notification.type,
        vouchers: String(notification.count),
        site: sanitizeLine(notification.site),
        source: sanitizeLine(notification.source),
      }
    : {
        type: notification.type,
        vouchers: '-',
        site: sanitizeLine(notification.sites.join(', ')),
        source: sanitizeLine(notification.controller),
      };

const parseDeliveryState = (given: string | undefined): DeliveryState | undefined => {
  if (given === undefined) return undefined;
  return parseChoice('--state', given, deliveryStates);
};

/** Queues a delivery again, from the first attempt on. */
export const queueDelivery = (io: Io, given: string, json: boolean | undefined): Promise<void> =>
  withWebhooks(io, async (webhooks) => {
    const id = parseWholeNumber('id', given, 1, Number.MAX_SAFE_INTEGER);
    await webhooks.resend(id, commandLineActor).catch((error: unknown) => {
      throw error instanceof Refusal
        ? notFound('unknown-delivery', `there is no delivery ${given}`, 'webhook deliveries')
        : error;
    });
    printResult(io, json, { id, state: 'waiting' }, `delivery ${given} waits to be sent`);
  });

/** How many characters of a response are printed. */
const maxShownCharacters = 200;

/** Sends a test message to a webhook, and prints the response. */
export const runWebhookTest = (io: Io, given: string, json: boolean | undefined): Promise<void> =>
  withWebhooks(io, async (webhooks, tables) => {
    const { id, name } = await findWebhook(tables, given);
    printTestResult(io, name, await webhooks.test(id, 'voucherd webhook test'), json);
  });

const printTestResult = (
  io: Io,
  name: string,
  { response, outcome, reason: said }: WebhookTestResult,
  json: boolean | undefined,
): void => {
  const delivered = outcome === 'delivered';
  const reason = said === undefined ? undefined : sanitizeLine(said.en);
  const status = response?.status;
  const body = response && sanitizeLine(response.body).slice(0, maxShownCharacters);
  if (json) io.out(`${JSON.stringify({ name, delivered, status, answer: body, reason })}\n`);
  else if (response) {
    io.out(`status   ${String(status)}\nanswer   ${body || '(empty)'}\nverdict  ${verdictTexts[outcome]}\n`);
  }
  if (!delivered)
    throw new CommandError('not-delivered', `${name}: not delivered: ${reason ?? 'no reason given'}`);
};

const verdictTexts: Readonly<Record<WebhookTestResult['outcome'], string>> = {
  delivered: 'delivered',
  failed: 'failed for good',
  retry: 'failed, worth another try',
};
