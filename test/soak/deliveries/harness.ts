import { pino } from 'pino';
import { makeMetrics } from '../../../src/metrics/metrics.js';
import { newId, nodeSystem } from '../../../src/lib/system.js';
import { makeOutboxWorker, type OutboxWorker } from '../../../src/outbox/outboxWorker.js';
import { makeDeliveryTask } from '../../../src/webhooks/deliveryTask.js';
import type {
  FormatName,
  WebhookEvent,
  WebhookFormat,
  WebhookMessage,
} from '../../../src/webhooks/formats/format.js';
import { generateSigningSecret } from '../../../src/webhooks/formats/generic.js';
import { webhookFormats } from '../../../src/webhooks/formats/index.js';
import { makeWebhookSender, type WebhookSender } from '../../../src/webhooks/sender.js';
import { makeSsrfGuard } from '../../../src/ssrf/ssrfGuard.js';
import { isSigningFormat, openWebhook, sealWebhook } from '../../../src/webhooks/webhooks.js';
import { makeSecrets } from '../../../src/secrets/encryption.js';
import { openDatabase, type Database } from '../../../src/database/database.js';
import { enqueueNotifications } from '../../../src/webhooks/notificationTable.js';
import { migrate } from '../../../src/database/migrator.js';
import { makeTables, type Tables } from '../../../src/app/tables.js';

export interface DeliveryHarnessOptions {
  readonly databaseUrl: string;
  now(): number;
  /** From 0 to 1, for the jitter of the schedule. Default: no jitter. */
  chance?(): number;
  /** Called before each attempt. Default: so long that no busy machine reaches it; who hangs ends with its target. */
  deadlineMs?(): number;
}

/** One message that was sent. */
export interface SentMessage {
  readonly at: number;
  readonly notification: string;
  readonly address: string;
  readonly message: WebhookMessage;
}

/** The delivery of notifications as in the service, on a real database, with a clock that the caller controls. */
export interface DeliveryHarness {
  readonly database: Database;
  readonly tables: Tables;
  readonly delivering: OutboxWorker;
  readonly owner: string;
  /** Everything that was sent, in order. */
  readonly sent: readonly SentMessage[];
  /** The log lines so far. */
  readonly lines: readonly string[];
  addWebhook(format: FormatName, address: string, name?: string): Promise<number>;
  /** Puts notifications into the outbox, each a millisecond younger than the one before; returns their ids. */
  notify(howMany?: number): Promise<string[]>;
  /** Runs one pass, and waits until everything it started is sent. */
  pass(): Promise<void>;
  close(): Promise<void>;
}

/** Not a secret: what it seals lives as long as the harness. */
const key = Buffer.alloc(32, 7);

export const makeDeliveryHarness = async (options: DeliveryHarnessOptions): Promise<DeliveryHarness> => {
  const { databaseUrl, now, chance = () => 0.5, deadlineMs = () => 600_000 } = options;
  const database = openDatabase(databaseUrl, { timeoutMs: 120_000 });
  await migrate(database);
  const tables = makeTables(database, { now });
  const secrets = makeSecrets(key, nodeSystem);
  const metrics = makeMetrics();
  const [sent, lines]: [SentMessage[], string[]] = [[], []];
  const owner = newId(nodeSystem);

  const posts = new Map<number, WebhookSender>();
  const postWithin = (ms: number): WebhookSender => {
    const known =
      posts.get(ms) ?? makeWebhookSender({ guard: makeSsrfGuard(['127.0.0.0/8']), timeoutMs: ms });
    posts.set(ms, known);
    return known;
  };
  const composed = new WeakMap<WebhookMessage, WebhookEvent>();
  const system = { now, randomBytes: (size: number) => chanceBytes(chance(), size) };
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const task = makeDeliveryTask({
    tables,
    webhooks: async () => (await tables.webhooks.all()).map((stored) => openWebhook(stored, secrets)),
    formats: recordingFormats(composed),
    send: (address, message, signal) => {
      sent.push({ at: now(), notification: composed.get(message)?.id ?? '', address, message });
      return postWithin(deadlineMs()).send(address, message, signal);
    },
    ...{ system, metrics, log },
  });
  const delivering = makeOutboxWorker(task, { tables, system, log, owner });

  return {
    database,
    tables,
    delivering,
    owner,
    sent,
    lines,
    addWebhook: (format, address, name = newId(nodeSystem)) => {
      const secret = isSigningFormat(format) ? generateSigningSecret(nodeSystem) : undefined;
      return tables.webhooks.add(
        sealWebhook({ name, format, language: 'de', address, secret }, secrets, now()),
      );
    },
    notify: async (howMany = 1) => {
      const notifications = Array.from({ length: howMany }, (_, index) => ({
        type: 'voucher.created' as const,
        id: newId(nodeSystem),
        count: 1,
        site: 'Hauptgebäude',
        source: 'API: Buchungssystem',
        createdAt: now() - howMany + index,
      }));
      await enqueueNotifications(database.write, notifications);
      return notifications.map(({ id }) => id);
    },
    pass: async () => {
      await delivering.runPass();
      await delivering.idle();
    },
    close: async () => {
      await delivering.stop();
      for (const { close } of posts.values()) await close();
      await database.close();
      metrics.stop();
    },
  };
};

/** The real formats, which also record the event of each message. */
const recordingFormats = (
  composed: WeakMap<WebhookMessage, WebhookEvent>,
): Record<FormatName, WebhookFormat> => {
  const recording = (format: WebhookFormat): WebhookFormat => ({
    ...format,
    compose: (event, how) => {
      const message = format.compose(event, how);
      composed.set(message, event);
      return message;
    },
  });
  return {
    generic: recording(webhookFormats.generic),
    slack: recording(webhookFormats.slack),
    mattermost: recording(webhookFormats.mattermost),
    discord: recording(webhookFormats.discord),
    teams: recording(webhookFormats.teams),
    'google-chat': recording(webhookFormats['google-chat']),
    'php-tool': recording(webhookFormats['php-tool']),
  };
};

const chanceBytes = (chance: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32BE(Math.min(Math.floor(chance * 2 ** 32), 2 ** 32 - 1));
  return bytes;
};
