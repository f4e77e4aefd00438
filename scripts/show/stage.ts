import { pino } from 'pino';
import { newId, systemEffects } from '../../src/effects.js';
import { makeMetrics } from '../../src/metrics.js';
import { makeDelivering, type Delivering } from '../../src/notifications/delivering.js';
import type { Event, Format, FormatName, Message } from '../../src/notifications/format.js';
import { newSecret } from '../../src/notifications/formats/generic.js';
import { formats } from '../../src/notifications/formats/index.js';
import { makeGuard } from '../../src/notifications/guard.js';
import { makePost, type Post } from '../../src/notifications/post.js';
import { newWebhook, openWebhook, signs } from '../../src/notifications/webhooks.js';
import { makeSecrets } from '../../src/secrets.js';
import { openDatabase, type Database } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { put } from '../../src/storage/notifications.js';
import { makeStorage, type Storage } from '../../src/storage/storage.js';

export interface StageOptions {
  readonly databaseUrl: string;
  now(): number;
  /** From 0 up to 1, for the spread of the schedule; exactly as planned unless told. */
  chance?(): number;
  /** Asked before each post. */
  deadlineMs?(): number;
}

/** One message that was posted, as the sender knows it. */
export interface Sent {
  readonly at: number;
  readonly notification: string;
  readonly address: string;
  readonly message: Message;
}

/** The delivery of notifications as the service has it, on a database, with the clock in somebody's hand. */
export interface Stage {
  readonly database: Database;
  readonly storage: Storage;
  readonly delivering: Delivering;
  readonly owner: string;
  /** Everything that was posted, in order. */
  readonly sent: readonly Sent[];
  /** The log lines so far. */
  readonly lines: readonly string[];
  addWebhook(format: FormatName, address: string, name?: string): Promise<number>;
  /** Puts notifications into the outbox, each a millisecond younger than the one before; returns their ids. */
  notify(howMany?: number): Promise<string[]>;
  /** One pass, until all that it began is sent. */
  pass(): Promise<void>;
  close(): Promise<void>;
}

/** Of no worth to anybody: what it seals lives as long as a stage. */
const key = Buffer.alloc(32, 7);

export const makeStage = async (options: StageOptions): Promise<Stage> => {
  const { databaseUrl, now, chance = () => 0.5, deadlineMs = () => 15_000 } = options;
  const database = openDatabase(databaseUrl);
  await migrate(database);
  const storage = makeStorage(database, { now });
  const secrets = makeSecrets(key, systemEffects);
  const metrics = makeMetrics();
  const [sent, lines]: [Sent[], string[]] = [[], []];
  const owner = newId(systemEffects);

  const posts = new Map<number, Post>();
  const postWithin = (ms: number): Post => {
    const known = posts.get(ms) ?? makePost({ guard: makeGuard(['127.0.0.0/8']), deadlineMs: ms });
    posts.set(ms, known);
    return known;
  };
  const composed = new WeakMap<Message, Event>();
  const delivering = makeDelivering({
    storage,
    webhooks: async () => (await storage.webhooks.all()).map((stored) => openWebhook(stored, secrets)),
    formats: remembering(composed),
    post: (address, message) => {
      sent.push({ at: now(), notification: composed.get(message)?.id ?? '', address, message });
      return postWithin(deadlineMs()).post(address, message);
    },
    abort: async () => {
      for (const { close } of posts.values()) await close();
    },
    effects: { now, randomBytes: (size) => chanceBytes(chance(), size) },
    metrics,
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
    owner,
  });

  return {
    database,
    storage,
    delivering,
    owner,
    sent,
    lines,
    addWebhook: (format, address, name = newId(systemEffects)) => {
      const secret = signs(format) ? newSecret(systemEffects) : undefined;
      return storage.webhooks.add(
        newWebhook({ name, format, language: 'de', address, secret }, secrets, now()),
      );
    },
    notify: async (howMany = 1) => {
      const notifications = Array.from({ length: howMany }, (_, index) => ({
        id: newId(systemEffects),
        count: 1,
        site: 'Hauptgebäude',
        source: 'API: Buchungssystem',
        createdAt: now() - howMany + index,
      }));
      await put(database.write, notifications);
      return notifications.map(({ id }) => id);
    },
    pass: async () => {
      await delivering.pass();
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

/** The formats as they are, which also note what each message tells. */
const remembering = (composed: WeakMap<Message, Event>): Record<FormatName, Format> => {
  const noted = (format: Format): Format => ({
    ...format,
    compose: (event, how) => {
      const message = format.compose(event, how);
      composed.set(message, event);
      return message;
    },
  });
  return {
    generic: noted(formats.generic),
    slack: noted(formats.slack),
    mattermost: noted(formats.mattermost),
    discord: noted(formats.discord),
    teams: noted(formats.teams),
    'google-chat': noted(formats['google-chat']),
  };
};

const chanceBytes = (chance: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32BE(Math.min(Math.floor(chance * 2 ** 32), 2 ** 32 - 1));
  return bytes;
};
