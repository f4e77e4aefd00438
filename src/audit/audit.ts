import type { Readable } from 'node:stream';
import { streamCsv, toCsvTime, type CsvColumns } from '../lib/csv.js';
import type { PageLanguage } from '../i18n/language.js';
import { headingOf } from '../i18n/messages.js';
import { parseTimestamp } from '../lib/timestamp.js';
import type { System } from '../lib/system.js';
import {
  auditActions,
  type ActorKind,
  type AuditAction,
  type AuditDraft,
  type AuditEntry,
  type AuditFilter,
  type AuditLogTable,
  type AuditPosition,
  type NewAuditEntry,
} from './auditTable.js';
import { Refusal } from '../errors/problem.js';

/** Who does something, and from where. */
export interface Actor {
  readonly kind: ActorKind;
  readonly name: string | null;
  readonly address: string | null;
}

/** An entry before its subject is known. */
export const draftAudit = (
  actor: Actor,
  action: AuditAction,
  at: number,
  detail: AuditEntry['detail'] = {},
): AuditDraft => ({
  at,
  actorKind: actor.kind,
  actorName: actor.name,
  address: actor.address,
  action,
  detail,
});

/** The filter of a search in the web UI. */
export interface AuditQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly actorName?: string | undefined;
  /** What the entries are about. */
  readonly area?: string | undefined;
}

/** Areas that are not the first word of an action alone. */
const areaPrefixes: Readonly<Record<string, readonly string[]>> = {
  user: ['user.', 'sign-in-rules.'],
  mail: ['setting.mail', 'voucher.email'],
  sms: ['setting.sms', 'voucher.sms'],
  setting: ['setting.', 'first-steps.'],
};

const actionsOf = (area: string): AuditAction[] => {
  const prefixes = areaPrefixes[area] ?? [`${area}.`];
  return auditActions.filter((action) => prefixes.some((prefix) => action.startsWith(prefix)));
};

export const toAuditFilter = ({ from, to, actorName, area }: AuditQuery): AuditFilter => ({
  from: from === undefined ? undefined : parseTimestamp(from),
  to: to === undefined ? undefined : parseTimestamp(to),
  actorName: actorName === '' ? undefined : actorName,
  actions: area === undefined ? undefined : actionsOf(area),
});

export interface AuditPage {
  /** The newest first. */
  readonly entries: readonly AuditEntry[];
  /** Where the next page begins; null at the end. */
  readonly next: string | null;
}

export interface Audit {
  /** Records what is not part of a transaction. */
  record(entry: Omit<NewAuditEntry, 'at'>): Promise<void>;
  /** A page of the entries that match the filter. Throws `Refusal` for an invalid cursor. */
  search(
    filter: AuditFilter,
    options?: {
      readonly cursor?: string | undefined;
      readonly limit?: number;
      /** Aborts when the client is gone. */
      readonly signal?: AbortSignal;
    },
  ): Promise<AuditPage>;
  /**
   * All entries that match the filter as CSV, with headings in a language.
   * The signal counts until the file begins.
   */
  exportCsv(filter: AuditFilter, language: PageLanguage, signal: AbortSignal): Promise<Readable>;
}

const maxPageSize = 500;

/** The log of who did what. */
export const makeAudit = (table: AuditLogTable, system: System): Audit => {
  const search: Audit['search'] = async (filter, { cursor, limit = 50, signal } = {}) => {
    const size = Math.min(Math.max(1, Math.trunc(limit)), maxPageSize);
    const before = cursor === undefined ? undefined : parseCursor(cursor);
    const found = await table.newest(filter, before, size + 1, signal);
    const entries = found.slice(0, size);
    const last = entries.at(-1);
    return { entries, next: last && found.length > size ? formatCursor(last) : null };
  };
  const allPages = async function* (
    filter: AuditFilter,
    signal: AbortSignal,
  ): AsyncGenerator<readonly AuditEntry[], void, void> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await search(filter, { limit: maxPageSize, cursor, signal });
      yield page.entries;
      cursor = page.next;
    }
  };
  return {
    record: (entry) => table.add({ ...entry, at: system.now() }),
    search,
    exportCsv: (filter, language, signal) =>
      streamCsv(csvColumns, language, (closed) => allPages(filter, closed), signal),
  };
};

const formatCursor = ({ at, id }: AuditPosition): string => `${String(at)}-${String(id)}`;

const parseCursor = (text: string): AuditPosition => {
  const [, at, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  if (at === undefined || id === undefined)
    throw new Refusal('cursor-invalid', 'there is no such page', 'invalid');
  return { at: Number(at), id: Number(id) };
};

const csvColumns: CsvColumns<AuditEntry> = [
  [headingOf('time'), ({ at }) => toCsvTime(at)],
  [headingOf('actor-kind'), ({ actorKind }) => actorKind],
  [headingOf('actor'), ({ actorName }) => actorName ?? ''],
  [headingOf('action'), ({ action }) => action],
  [headingOf('subject-kind'), ({ subjectKind }) => subjectKind ?? ''],
  [headingOf('subject-id'), ({ subjectId }) => subjectId ?? ''],
  [headingOf('subject'), ({ subjectName }) => subjectName ?? ''],
  [headingOf('address'), ({ address }) => address ?? ''],
  [headingOf('count'), ({ count }) => String(count)],
  [headingOf('detail'), ({ detail }) => (Object.keys(detail).length > 0 ? JSON.stringify(detail) : '')],
];
