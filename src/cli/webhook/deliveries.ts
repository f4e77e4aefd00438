import { publicText } from '../../lib/problem.js';
import { newId, nodeSystem } from '../../lib/system.js';
import type { DeliveryVerdict, WebhookEvent, WebhookResponse } from '../../notifications/formats/format.js';
import { webhookFormats } from '../../notifications/formats/index.js';
import type { makeWebhookSender } from '../../notifications/sender.js';
import { makeSsrfGuard } from '../../notifications/ssrfGuard.js';
import {
  activeSigningSecrets,
  openWebhook,
  redactWebhookSecrets,
  type Webhook,
} from '../../notifications/webhooks.js';
import { openStoredSecrets } from '../../secrets/secretKey.js';
import type { DeliveryState } from '../../storage/deliveries.js';
import { formatCommandLine } from '../commandLine.js';
import {
  CommandError,
  formatTime,
  formatTimestamp,
  parseWholeNumber,
  printList,
  sanitizeLine,
  type Io,
} from '../io.js';
import { findWebhook } from '../lookup.js';
import { withStorage } from '../openStorage.js';

export interface DeliveriesOptions {
  state?: string;
  limit: string;
  json?: boolean;
}

const deliveryStates: readonly DeliveryState[] = ['waiting', 'delivered', 'failed'];

/** Lists deliveries, the newest first. */
export const listDeliveries = (io: Io, name: string | undefined, options: DeliveriesOptions): Promise<void> =>
  withStorage(io, async ({ storage }) => {
    const limit = parseWholeNumber('--limit', options.limit, 1, 1000);
    const state = parseDeliveryState(options.state);
    const webhookId = name === undefined ? undefined : (await findWebhook(storage, name)).id;
    const names = new Map((await storage.webhooks.all()).map((webhook) => [webhook.id, webhook.name]));
    const filter = { ...(webhookId !== undefined && { webhookId }), ...(state !== undefined && { state }) };
    const deliveries = (await storage.deliveries.newest(filter, limit)).map(
      ({ id, webhookId: of, state, tries, at, reason, notification }) => ({
        id,
        webhook: names.get(of) ?? '',
        state,
        tries,
        at: formatTimestamp(at),
        reason,
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
        vouchers: String(notification.count),
        site: sanitizeLine(notification.site),
        source: sanitizeLine(notification.source),
        reason: reason === null ? '-' : sanitizeLine(reason),
      }),
      'no such deliveries',
    );
  });

const parseDeliveryState = (given: string | undefined): DeliveryState | undefined => {
  if (given === undefined) return undefined;
  const state = deliveryStates.find((known) => known === given);
  if (state) return state;
  throw new CommandError(`--state: "${given}" is not allowed: one of ${deliveryStates.join(', ')}`);
};

/** Queues a delivery again, from the first attempt on. */
export const resendDelivery = (io: Io, given: string, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ storage, clock }) => {
    const id = parseWholeNumber('id', given, 1, Number.MAX_SAFE_INTEGER);
    if (!(await storage.deliveries.resend(id, clock.now())))
      throw new CommandError(`there is no delivery ${given}: see ${formatCommandLine('webhook deliveries')}`);
    io.out(json ? `${JSON.stringify({ id, state: 'waiting' })}\n` : `delivery ${given} waits to be sent\n`);
  });

/** How many characters of a response are printed. */
const maxShownCharacters = 200;

/** Sends a test message to a webhook, and prints the response. */
export const testWebhook = (io: Io, given: string, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ config, storage }) => {
    const webhook = openWebhook(await findWebhook(storage, given), openStoredSecrets(config));
    const { makeWebhookSender, sendTimeoutMs } = await import('../../notifications/sender.js');
    const { send, close } = makeWebhookSender({
      guard: makeSsrfGuard(config.webhookAllowPrivate),
      timeoutMs: sendTimeoutMs,
    });
    try {
      printTestResult(io, webhook, await sendTestMessage(webhook, send), json);
    } finally {
      await close();
    }
  });

interface TestMessageResult {
  /** Undefined when there was no connection, or no response in time. */
  readonly response?: WebhookResponse;
  readonly verdict: Pick<DeliveryVerdict, 'outcome'> & { readonly reason?: string };
}

const sendTestMessage = async (
  webhook: Webhook,
  send: ReturnType<typeof makeWebhookSender>['send'],
): Promise<TestMessageResult> => {
  const format = webhookFormats[webhook.format];
  const now = nodeSystem.now();
  const event: WebhookEvent = {
    id: newId(nodeSystem),
    count: 1,
    site: 'Test',
    source: 'voucherd webhook test',
    createdAt: now,
    test: true,
  };
  const { language } = webhook;
  const message = format.compose(event, { language, secrets: activeSigningSecrets(webhook, now), now });
  try {
    const response = await send(webhook.address, message);
    return { response, verdict: format.judge(response) };
  } catch (error) {
    return { verdict: { outcome: 'failed', reason: publicText(error) } };
  }
};

const printTestResult = (
  io: Io,
  webhook: Webhook,
  { response, verdict }: TestMessageResult,
  json: boolean | undefined,
): void => {
  const shown = (text: string): string => sanitizeLine(redactWebhookSecrets(text, webhook));
  const { name } = webhook;
  const delivered = verdict.outcome === 'delivered';
  const reason = verdict.reason === undefined ? undefined : shown(verdict.reason);
  const status = response?.status;
  const body = response && shown(response.body).slice(0, maxShownCharacters);
  if (json) io.out(`${JSON.stringify({ name, delivered, status, answer: body, reason })}\n`);
  else if (response) {
    io.out(`status   ${String(status)}\nanswer   ${body || '(empty)'}\nverdict  ${verdictText(verdict)}\n`);
  }
  if (!delivered) throw new CommandError(`${name}: not delivered: ${reason ?? 'no reason given'}`);
};

const verdictText = ({ outcome }: TestMessageResult['verdict']): string =>
  ({ delivered: 'delivered', failed: 'failed for good', retry: 'failed, worth another try' })[outcome];
