/** What waits in a queue. */
export interface QueueReading {
  readonly waiting: number;
  /** When the oldest came, in milliseconds since 1970; null when nothing waits. */
  readonly oldestAt: number | null;
}

export interface ControllerReading {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly sites: number;
  /** When all of its vouchers were last compared, by whichever process; null also when it has no sites. */
  readonly lastSyncAt: number | null;
  /** By the calls of this process; `unknown` when there was none for a while. */
  readonly state: 'ok' | 'failing' | 'open' | 'unknown';
  /** Its connection; undefined for a controller without one, and before its first call. */
  readonly connection:
    | {
        readonly isCircuitOpen: boolean;
        readonly waiting: number;
        readonly inFlight: number;
        readonly certificate: { readonly expiresAt: number; readonly isPinned: boolean } | undefined;
      }
    | undefined;
}

export interface WebhookReading extends QueueReading {
  readonly id: number;
  readonly name: string;
  readonly format: string;
  /**
   * `off`: an administrator has switched it off. `failing`: its target has, or deliveries fail again and
   * again.
   */
  readonly state: 'ok' | 'failing' | 'off';
}

export interface JobReading {
  readonly name: string;
  readonly intervalMs: number;
  /** When it last succeeded; undefined when it never did. */
  readonly lastSuccessAt: number | undefined;
  /** How long ago it should have succeeded again; 0 when it is in time. */
  readonly lagMs: number;
  readonly successes: number;
  readonly failures: number;
}

export interface PoolReading {
  readonly pool: string;
  readonly used: number;
  readonly free: number;
  readonly max: number;
  /** How many wait for a connection. */
  readonly waiting: number;
}

export interface DiskReading {
  /** What lies there: `data` (DATA_DIR), or `database` where the SQLite file is in another folder. */
  readonly folder: string;
  /** Undefined when it can not be read, or not in time. */
  readonly space: { readonly freeBytes: number; readonly sizeBytes: number } | undefined;
}

/** What the database holds. */
export interface RecordReadings {
  readonly intents: QueueReading;
  readonly emails: QueueReading;
  readonly sms: QueueReading;
  /** Notifications that are not yet on their way to webhooks. */
  readonly outbox: number;
  readonly webhooks: readonly WebhookReading[];
  readonly controllers: readonly ControllerReading[];
}

/** What is looked up when the metrics are read. */
export interface Readings {
  readonly now: number;
  /** Did the database answer in time? If not, the records are the last known ones. */
  readonly isDatabaseUp: boolean;
  readonly records: RecordReadings | undefined;
  readonly jobs: readonly JobReading[];
  readonly syncIntervalMs: number;
  readonly pools: readonly PoolReading[];
  readonly disks: readonly DiskReading[];
  /** When our own TLS certificate expires; undefined without one. */
  readonly tlsExpiresAt: number | undefined;
}

/** How old the oldest of a queue is; 0 when nothing waits. */
export const ageSeconds = (at: number | null, now: number): number =>
  at === null ? 0 : Math.max(0, now - at) / 1000;
