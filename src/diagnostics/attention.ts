import { demoName } from '../apiKeys/keyAdministration.js';
import type { Texts } from '../i18n/language.js';
import { describeReason } from '../i18n/storedReasons.js';
import type { ControllerHealth } from '../controllers/health.js';
import { isSimulatedKind } from '../controllers/kinds.js';
import type { StoredApiKey } from '../apiKeys/apiKeyTable.js';
import type { DiagnosedTables } from './tables.js';

/** A controller, and how it is doing. */
export interface ControllerStatus {
  readonly id: number;
  readonly name: string;
  readonly health: ControllerHealth;
}

/** Something that an administrator should look at. */
export interface Attention {
  readonly kind:
    | 'no-controllers'
    | 'no-sites'
    | 'controller-failing'
    | 'controller-open'
    | 'webhook-off'
    | 'webhook-failing'
    | 'deliveries-failed'
    | 'intents-open'
    | 'key-expires'
    | 'demo-key';
  /** The name of what it is about. */
  readonly subject?: string;
  readonly count?: number;
  readonly at?: number;
  /** Why, where that is known. */
  readonly reason?: Texts;
}

const dayMs = 86_400_000;
/** Keys that expire sooner are mentioned. */
const expiryNoticeMs = 14 * dayMs;
/** Older failures are listed with the deliveries, but no longer reported. */
export const recentFailureMs = 7 * dayMs;
const maxEntries = 100;

interface AttentionContext {
  readonly controllers: readonly ControllerStatus[];
  readonly now: number;
  readonly intentLimitMs: number;
}

/** What needs an administrator, the most urgent first. */
export const listAttention = async (
  tables: DiagnosedTables,
  { controllers, now, intentLimitMs }: AttentionContext,
): Promise<Attention[]> => {
  const [usable, sites, stored, webhooks, failed, failing, intents] = await Promise.all([
    tables.apiKeys.usable(),
    tables.sites.all(),
    tables.controllers.all(),
    tables.webhooks.all(),
    tables.outbox.failedSince('webhook', now - recentFailureMs),
    tables.deliveries.failing(),
    tables.intents.overdue(now - intentLimitMs),
  ]);
  const keys = usable.filter((key) => isValidAt(key, now));
  const hasRealController = stored.some(({ kind }) => !isSimulatedKind(kind));
  const found: Attention[] = [
    ...(stored.length === 0 ? [{ kind: 'no-controllers' } as const] : []),
    ...(stored.length > 0 && !sites.some(({ active }) => active) ? [{ kind: 'no-sites' } as const] : []),
    ...controllers
      .filter(({ health: { state } }) => state === 'open')
      .map(({ name }) => ({ kind: 'controller-open', subject: name }) as const),
    ...controllers
      .filter(({ health: { state } }) => state === 'failing')
      .map(({ name }) => ({ kind: 'controller-failing', subject: name }) as const),
    ...(intents.oldest === null
      ? []
      : [{ kind: 'intents-open', count: intents.count, at: intents.oldest } as const]),
    ...webhooks
      .filter(({ reason }) => reason !== null)
      .map(({ name }) => ({ kind: 'webhook-off', subject: name }) as const),
    ...failing.map(
      ({ webhookId, createdAt, reason }) =>
        ({
          kind: 'webhook-failing',
          subject: webhooks.find(({ id }) => id === webhookId)?.name ?? '',
          at: createdAt,
          reason: describeReason('attempt', reason),
        }) as const,
    ),
    ...(failed.last ? [{ kind: 'deliveries-failed', count: failed.count, at: failed.last.at } as const] : []),
    ...keys
      .filter((key) => isRiskyDemoKey(key, hasRealController))
      .map(({ prefix }) => ({ kind: 'demo-key', subject: `uvt_${prefix}` }) as const),
    ...keys.flatMap(({ name, expiresAt }) =>
      name !== demoName && expiresAt !== null && expiresAt <= now + expiryNoticeMs
        ? [{ kind: 'key-expires', subject: name, at: expiresAt } as const]
        : [],
    ),
  ];
  return found.slice(0, maxEntries);
};

export const isValidAt = ({ expiresAt }: Pick<StoredApiKey, 'expiresAt'>, now: number): boolean =>
  expiresAt === null || expiresAt > now;

/** A demo prints its key, which may create vouchers on every site. */
export const isRiskyDemoKey = (
  { name, expiresAt }: Pick<StoredApiKey, 'name' | 'expiresAt'>,
  hasRealController: boolean,
): boolean => name === demoName && (expiresAt === null || hasRealController);
