import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ControllerRegistry } from '../controllers/registry.js';
import type { Database } from '../database/database.js';
import type { JobStatus } from '../jobs/intervalJob.js';
import { makeCachedReading } from './cachedReading.js';
import type { Clock } from '../lib/system.js';
import type {
  ControllerReading,
  DiskReading,
  Readings,
  RecordReadings,
  WebhookReading,
} from '../metrics/readings.js';
import { failingTries } from '../outbox/outboxWorker.js';
import type { QueueLength } from '../outbox/outboxTable.js';
import type { StoredWebhook } from '../webhooks/webhookTable.js';
import type { DiagnosedTables } from './tables.js';

interface ReadingsDeps {
  readonly tables: Pick<
    DiagnosedTables,
    'controllers' | 'deliveries' | 'intents' | 'outbox' | 'sites' | 'webhooks'
  >;
  readonly database: Pick<Database, 'file' | 'isUnavailable' | 'pools'>;
  readonly controllers: Pick<ControllerRegistry, 'connectionOf' | 'sinceLastCallMs' | 'stateOf'>;
  readonly dataDir: string;
  readonly syncIntervalMs: number;
  readonly system: Clock;
  jobs(): readonly JobStatus[];
  /** When our own certificate expires. */
  tlsExpiresAt(): number | undefined;
  /** How long a database or a disk may take before the last known values are used. */
  readonly timeoutMs?: number;
}

/** A scrape takes a few milliseconds, or this long when something does not answer. */
const defaultTimeoutMs = 500;

/** What the last call said of a controller counts for this long, or for a few passes of the sync. */
const minFreshMs = 5 * 60_000;
const freshPasses = 3;

/** Makes the look at everything that is measured: cheap, shared by all who ask, and never waited for long. */
export const makeReadings = (deps: ReadingsDeps): (() => Promise<Readings>) => {
  const { database, system, jobs, tlsExpiresAt, timeoutMs = defaultTimeoutMs } = deps;
  const readRecords = makeCachedReading(() => loadRecords(deps), { timeoutMs });
  const disks = listFolders(deps).map(({ folder, path }) => {
    const read = makeCachedReading(() => loadSpace(path), { timeoutMs });
    return async (): Promise<DiskReading> => {
      const { value, isCurrent } = await read();
      return { folder, space: isCurrent ? value : undefined };
    };
  });
  const freshMs = Math.max(minFreshMs, freshPasses * deps.syncIntervalMs);
  return async () => {
    const [records, ...spaces] = await Promise.all([readRecords(), ...disks.map((read) => read())]);
    const now = system.now();
    return {
      now,
      isDatabaseUp: records.isCurrent && !database.isUnavailable,
      records: records.value && {
        ...records.value,
        controllers: records.value.controllers.map((stored) => observe(stored, deps.controllers, freshMs)),
      },
      jobs: jobs().map(({ sinceSuccessMs, ...job }) => ({
        ...job,
        lastSuccessAt: sinceSuccessMs === undefined ? undefined : now - sinceSuccessMs,
      })),
      syncIntervalMs: deps.syncIntervalMs,
      pools: database.pools(),
      disks: spaces,
      tlsExpiresAt: tlsExpiresAt(),
    };
  };
};

type StoredReading = Omit<ControllerReading, 'state' | 'connection'>;

/** One query at a time: SQLite has two connections for what is short. */
const loadRecords = async ({
  tables,
  database,
}: ReadingsDeps): Promise<
  Omit<RecordReadings, 'controllers'> & { readonly controllers: readonly StoredReading[] }
> => {
  // It is probed already, and our statements would only wait for it.
  if (database.isUnavailable) throw new Error('the database can not be used');
  const { count, oldest } = await tables.intents.overdue(Number.MAX_SAFE_INTEGER);
  const [emails = emptyQueue] = await tables.outbox.queues('email');
  const [sms = emptyQueue] = await tables.outbox.queues('sms');
  const outbox = await tables.deliveries.countUndispatched();
  const queues = new Map((await tables.outbox.queues('webhook')).map((queue) => [queue.webhookId, queue]));
  const webhooks = await tables.webhooks.all();
  const controllers = await tables.controllers.all();
  const sites = new Map<number, number>();
  for (const { controllerId } of await tables.sites.all())
    sites.set(controllerId, (sites.get(controllerId) ?? 0) + 1);
  const lastSyncs = await tables.controllers.lastSyncs(controllers.map(({ id }) => id));
  return {
    intents: { waiting: count, oldestAt: oldest },
    emails,
    sms,
    outbox,
    webhooks: webhooks.map((webhook) => toWebhookReading(webhook, queues.get(webhook.id))),
    controllers: controllers.map(({ id, name, kind }, index) => ({
      id,
      name,
      kind,
      sites: sites.get(id) ?? 0,
      lastSyncAt: sites.has(id) ? (lastSyncs[index] ?? null) : null,
    })),
  };
};

const emptyQueue = { waiting: 0, oldestAt: null };

const toWebhookReading = (
  { id, name, format, active, reason }: StoredWebhook,
  queue: QueueLength | undefined,
): WebhookReading => {
  const isFailing = active ? (queue?.tries ?? 0) >= failingTries : reason !== null;
  return {
    id,
    name,
    format,
    state: isFailing ? 'failing' : active ? 'ok' : 'off',
    waiting: queue?.waiting ?? 0,
    oldestAt: queue?.oldestAt ?? null,
  };
};

/** Adds what this process knows of a controller. */
const observe = (
  stored: StoredReading,
  controllers: ReadingsDeps['controllers'],
  freshMs: number,
): ControllerReading => {
  const connection = controllers.connectionOf(stored.id);
  const sinceMs = controllers.sinceLastCallMs(stored.id);
  const isFresh = sinceMs !== undefined && sinceMs <= freshMs;
  // An open circuit breaker asks for itself whether the controller is back.
  const isKnown = isFresh || connection?.isCircuitOpen === true;
  return { ...stored, connection, state: isKnown ? controllers.stateOf(stored.id).state : 'unknown' };
};

const listFolders = ({ dataDir, database }: ReadingsDeps): { folder: string; path: string }[] => {
  const databaseDir = database.file === undefined ? dataDir : dirname(resolve(database.file));
  return [
    { folder: 'data', path: dataDir },
    ...(databaseDir === dataDir ? [] : [{ folder: 'database', path: databaseDir }]),
  ];
};

const loadSpace = async (path: string): Promise<NonNullable<DiskReading['space']>> => {
  const { bavail, blocks, bsize } = await statfs(path);
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
};
