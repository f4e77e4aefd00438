import type { Knex } from 'knex';
import { interruptedBy } from '../database/interruption.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { countChosenRows, deleteBatch, insertRows, inTransaction } from '../database/transactions.js';

/** Everything that is recorded. */
export const auditActions = [
  'controller.add',
  'controller.change',
  'controller.remove',
  'first-steps.hide',
  'first-steps.show',
  'key.create',
  'key.restore',
  'key.revoke',
  'kiosk.add',
  'kiosk.background',
  'kiosk.change',
  'kiosk.remove',
  'kiosk.renew-link',
  'limit.add',
  'limit.change',
  'limit.remove',
  'printer.add',
  'printer.change',
  'printer.remove',
  'profile.add',
  'profile.change',
  'profile.default',
  'profile.order',
  'profile.remove',
  'retention.run',
  'secret.rotate',
  'session.end',
  'setting.branding',
  'setting.mail',
  'setting.single-sign-on',
  'setting.sms',
  'sign-in-rules.change',
  'site.add',
  'site.change',
  'site.logo',
  'site.texts',
  'user.change',
  'user.create',
  'user.disable',
  'user.enable',
  'user.password',
  'user.password-reset',
  'user.recovery-codes',
  'user.remove',
  'user.role',
  'user.second-factor',
  'user.second-factor-reset',
  'user.sign-in',
  'user.sign-in-refused',
  'user.sign-in-throttled',
  'user.sign-out',
  'user.single-sign-on',
  'user.single-sign-on-reset',
  'user.sites',
  'voucher.approve',
  'voucher.adopt',
  'voucher.create',
  'voucher.email',
  'voucher.refuse',
  'voucher.revoke',
  'voucher.sms',
  'webhook.add',
  'webhook.change',
  'webhook.remove',
  'webhook.resend',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** Further details of an entry. The web UI has a text for each. */
export const auditDetailNames = [
  'active',
  'address',
  'all',
  'allowsCustom',
  'asksName',
  'audit',
  'backgroundColour',
  'bytes',
  'code',
  'colour',
  'controller',
  'count',
  'countries',
  'credentials',
  'defaultProfileId',
  'deliveries',
  'delivery',
  'deviceMinutes',
  'disabled',
  'down',
  'email',
  'emails',
  'expireMinutes',
  'expiresAt',
  'format',
  'formerEmail',
  'formerName',
  'from',
  'giveUp',
  'host',
  'icon',
  'idleSeconds',
  'isWifiHidden',
  'kind',
  'language',
  'logo',
  'maxCount',
  'maxPerDay',
  'maxUses',
  'mediaType',
  'name',
  'needsApproval',
  'orders',
  'paper',
  'perDevice',
  'perHour',
  'port',
  'printAtOnce',
  'printerId',
  'profile',
  'quotaMb',
  'rateLimit',
  'reason',
  'removed',
  'reportsControllers',
  'request',
  'requiresName',
  'role',
  'scope',
  'secondFactor',
  'secret',
  'sender',
  'sendsEmail',
  'sendsSms',
  'sessions',
  'site',
  'siteId',
  'sites',
  'slipPaper',
  'slipText',
  'ssid',
  'title',
  'to',
  'trust',
  'up',
  'usage',
  'vouchers',
  'wifiKind',
  'wifiPassword',
] as const;
export type AuditDetail = Readonly<
  Partial<Record<(typeof auditDetailNames)[number], string | number | boolean | null>>
>;

export type ActorKind = 'user' | 'key' | 'kiosk' | 'guest' | 'command line' | 'system';
export type SubjectKind =
  | 'user'
  | 'session'
  | 'key'
  | 'controller'
  | 'site'
  | 'webhook'
  | 'printer'
  | 'profile'
  | 'kiosk'
  | 'limit'
  | 'voucher';

export interface AuditEntry {
  readonly id: number;
  readonly at: number;
  readonly actorKind: ActorKind;
  readonly actorName: string | null;
  readonly action: AuditAction;
  readonly subjectKind: SubjectKind | null;
  readonly subjectId: string | null;
  readonly subjectName: string | null;
  /** Where the request came from. */
  readonly address: string | null;
  /** Small, and never secret. */
  readonly detail: AuditDetail;
  /** How many equal entries it stands for. */
  readonly count: number;
}

const columns = defineColumns<AuditEntry>({
  id: 'plain',
  at: 'plain',
  actorKind: 'plain',
  actorName: 'plain',
  action: 'plain',
  subjectKind: 'plain',
  subjectId: 'plain',
  subjectName: 'plain',
  address: 'plain',
  detail: 'json',
  count: 'plain',
});

export type NewAuditEntry = Omit<AuditEntry, 'id' | 'count'>;

/** What is known of an entry before its subject is: who did what, when and from where. */
export type AuditDraft = Omit<NewAuditEntry, 'subjectKind' | 'subjectId' | 'subjectName'>;

/** An entry that is counted together with those that have the same key. */
export interface MergedAuditEntry {
  readonly entry: NewAuditEntry;
  readonly mergeKey: string;
  readonly count: number;
}

/** The filter of a search. Times include `from` and exclude `to`. */
export interface AuditFilter {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly actorKind?: ActorKind | undefined;
  readonly actorName?: string | undefined;
  readonly actions?: readonly AuditAction[] | undefined;
  readonly subjectKind?: SubjectKind | undefined;
  readonly subjectId?: string | undefined;
}

/** The last entry of a page. */
export type AuditPosition = Pick<AuditEntry, 'at' | 'id'>;

export interface AuditLogTable {
  add(entry: NewAuditEntry): Promise<void>;
  /** Adds entries, or raises the counts of those that are there already. The keys differ. */
  merge(entries: readonly MergedAuditEntry[]): Promise<void>;
  /** The newest entries, or those before a position. */
  newest(
    filter: AuditFilter,
    before: AuditPosition | undefined,
    limit: number,
    signal?: AbortSignal,
  ): Promise<AuditEntry[]>;
  /** Removes a batch of the entries before a time and returns how many. */
  removeBefore(at: number, limit?: number): Promise<number>;
  /** How many there are of them, at most `limit`. */
  countBefore(at: number, limit: number): Promise<number>;
}

/** Records what happened, in the transaction that does it. */
export const recordAudit = async (transaction: Knex, entry: NewAuditEntry): Promise<void> => {
  await transaction('audit_log').insert(columns.toNewRow({ ...entry, count: 1 }));
};

/**
 * Records what may turn out not to have happened, in the transaction that does it. The key is unique;
 * the transaction that takes the change back passes it to `retractAudit`.
 */
export const recordRetractableAudit = async (
  transaction: Knex,
  entry: NewAuditEntry,
  key: string,
): Promise<void> => {
  await transaction('audit_log').insert({ ...columns.toNewRow({ ...entry, count: 1 }), merge_key: key });
};

/** Removes the entry of a change that is taken back. */
export const retractAudit = async (transaction: Knex, key: string): Promise<void> => {
  await transaction('audit_log').where({ merge_key: key }).delete();
};

/** Records several at once. */
export const recordAudits = async (transaction: Knex, entries: readonly NewAuditEntry[]): Promise<void> => {
  await insertRows(
    transaction,
    'audit_log',
    entries.map((entry) => columns.toNewRow({ ...entry, count: 1 })),
  );
};

/** The table of what was done, and by whom. */
export const makeAuditLogTable = ({ read, write }: Pick<Database, 'read' | 'write'>): AuditLogTable => ({
  add: (entry) => recordAudit(write, entry),
  merge: (entries) =>
    inTransaction(write, async (transaction) => {
      // Always in the same order, so that two transactions with the same keys can't deadlock.
      for (const { entry, mergeKey, count } of entries.toSorted((a, b) => (a.mergeKey < b.mergeKey ? -1 : 1)))
        await transaction('audit_log')
          .insert({ ...columns.toNewRow({ ...entry, count }), merge_key: mergeKey })
          .onConflict('merge_key')
          .merge({ count: transaction.raw('audit_log.count + excluded.count') });
    }),
  newest: async (
    { from, to, actorKind, actorName, actions, subjectKind, subjectId },
    before,
    limit,
    signal,
  ) => {
    const found = read('audit_log')
      .queryContext(interruptedBy(signal))
      .select(columns.aliases)
      .orderBy([
        { column: 'at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(limit);
    if (from !== undefined) void found.where('at', '>=', from);
    if (to !== undefined) void found.where('at', '<', to);
    if (actorKind !== undefined) void found.where('actor_kind', actorKind);
    if (actorName !== undefined) void found.where('actor_name', actorName);
    if (subjectKind !== undefined) void found.where('subject_kind', subjectKind);
    if (subjectId !== undefined) void found.where('subject_id', subjectId);
    if (actions !== undefined) void found.whereIn('action', actions);
    if (before) void found.whereRaw('(at, id) < (?, ?)', [before.at, before.id]);
    return columns.fromRows(await found);
  },
  removeBefore: (at, limit) =>
    deleteBatch(write, { table: 'audit_log', key: 'id' }, (rows) => rows.where('at', '<', at), limit),
  countBefore: (at, limit) => countChosenRows(read, 'audit_log', (rows) => rows.where('at', '<', at), limit),
});
