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
} from '../storage/auditLog.js';
import { PeopleRefusal } from './refusal.js';

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

/** What a search of the pages is restricted to. */
export interface AuditQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly actorName?: string | undefined;
  /** What the entries are about: the first word of their action. */
  readonly area?: string | undefined;
}

const toMs = (time: string | undefined): number | undefined =>
  time === undefined ? undefined : Date.parse(time);

export const toAuditFilter = ({ from, to, actorName, area }: AuditQuery): AuditFilter => ({
  from: toMs(from),
  to: toMs(to),
  actorName: actorName === '' ? undefined : actorName,
  actions: area === undefined ? undefined : auditActions.filter((action) => action.startsWith(`${area}.`)),
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
  /** A page of what the filter lets through. Throws `PeopleRefusal` for a cursor that is none. */
  search(
    filter: AuditFilter,
    options?: { readonly cursor?: string; readonly limit?: number },
  ): Promise<AuditPage>;
  /** All that the filter lets through as CSV, piece by piece. */
  exportCsv(filter: AuditFilter): AsyncGenerator<string, void, void>;
}

const maxPageSize = 500;

/** The log of who did what. */
export const makeAudit = (table: AuditLogTable, system: System): Audit => {
  const search: Audit['search'] = async (filter, { cursor, limit = 50 } = {}) => {
    const size = Math.min(Math.max(1, Math.trunc(limit)), maxPageSize);
    const before = cursor === undefined ? undefined : parseCursor(cursor);
    const found = await table.newest(filter, before, size + 1);
    const entries = found.slice(0, size);
    const last = entries.at(-1);
    return { entries, next: last && found.length > size ? formatCursor(last) : null };
  };
  return {
    record: (entry) => table.add({ ...entry, at: system.now() }),
    search,
    exportCsv: async function* (filter) {
      yield byteOrderMark + toCsvLine(csvColumns.map(([heading]) => heading));
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await search(filter, { limit: maxPageSize, ...(cursor !== undefined && { cursor }) });
        yield page.entries.map((entry) => toCsvLine(csvColumns.map(([, cell]) => cell(entry)))).join('');
        cursor = page.next;
      }
    },
  };
};

const formatCursor = ({ at, id }: AuditPosition): string => `${String(at)}-${String(id)}`;

const parseCursor = (text: string): AuditPosition => {
  const [, at, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  if (at === undefined || id === undefined) throw new PeopleRefusal('cursor-invalid');
  return { at: Number(at), id: Number(id) };
};

/** Without it Excel takes UTF-8 for something else. */
const byteOrderMark = '\uFEFF';

const csvColumns: readonly (readonly [string, (entry: AuditEntry) => string])[] = [
  ['time', ({ at }) => new Date(at).toISOString()],
  ['actor kind', ({ actorKind }) => actorKind],
  ['actor', ({ actorName }) => actorName ?? ''],
  ['action', ({ action }) => action],
  ['subject kind', ({ subjectKind }) => subjectKind ?? ''],
  ['subject id', ({ subjectId }) => subjectId ?? ''],
  ['subject', ({ subjectName }) => subjectName ?? ''],
  ['address', ({ address }) => address ?? ''],
  ['count', ({ count }) => String(count)],
  ['detail', ({ detail }) => (Object.keys(detail).length > 0 ? JSON.stringify(detail) : '')],
];

/** A line by RFC 4180. */
const toCsvLine = (cells: readonly string[]): string => `${cells.map(toCsvCell).join(',')}\r\n`;

/** Spreadsheets run a cell that begins like a formula; an apostrophe in front makes it a text. */
const toCsvCell = (text: string): string => {
  const harmless = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};
