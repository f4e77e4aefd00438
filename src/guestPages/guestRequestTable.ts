import { recordRetractableAudit, retractAudit, type AuditDraft } from '../audit/auditTable.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { inTransaction } from '../database/transactions.js';

/** Requests, with names and addresses of guests, are removed after a day. */
export const keptRequestMs = 86_400_000;

/** What staff have decided. A waiting one that is too old counts as expired. */
export type GuestRequestState = 'waiting' | 'approved' | 'refused';

/** A guest asks for a voucher, and staff have to agree. */
export interface GuestRequest {
  /** Chosen by the page. The order has the same. */
  readonly id: string;
  readonly kioskId: number;
  readonly siteId: number;
  readonly profileId: number;
  readonly name: string;
  readonly state: GuestRequestState;
  readonly address: string;
  readonly decidedBy: string | null;
  readonly createdAt: number;
}

const columns = defineColumns<GuestRequest>({
  id: 'plain',
  kioskId: 'plain',
  siteId: 'plain',
  profileId: 'plain',
  name: 'plain',
  state: 'plain',
  address: 'plain',
  decidedBy: 'plain',
  createdAt: 'plain',
});

export interface GuestRequestTable {
  find(id: string): Promise<GuestRequest | undefined>;
  /** Those of these sites, or of all, the oldest first. */
  waiting(since: number, siteIds: readonly number[] | null): Promise<GuestRequest[]>;
  /**
   * Stores a request, unless one with this id is `known`. The page is
   * `full` when `maxWaiting` requests wait there since `waitingSince`.
   */
  add(
    request: GuestRequest,
    limits: { readonly maxWaiting: number; readonly waitingSince: number },
  ): Promise<'added' | 'known' | 'full'>;
  /** Has an effect on a waiting one only. Returns whether it had. */
  decide(
    request: Pick<GuestRequest, 'id' | 'siteId' | 'createdAt'>,
    state: 'approved' | 'refused',
    audit: AuditDraft,
  ): Promise<boolean>;
  /** An approved one waits again: its order was refused. The audit log then knows nothing of an approval. */
  reopen(request: Pick<GuestRequest, 'id' | 'createdAt'>): Promise<void>;
  /** Removes a waiting one of a page. Returns whether it did: what was decided first stays. */
  withdraw(request: Pick<GuestRequest, 'id' | 'kioskId'>): Promise<boolean>;
  /** Removes those from before a time. */
  removeBefore(time: number): Promise<void>;
}

/** A page may choose the same id again when the request before is forgotten. */
const auditKeyOf = ({ id, createdAt }: Pick<GuestRequest, 'id' | 'createdAt'>): string =>
  `guest-request:${id}:${String(createdAt)}`;

/** The table of requests that wait for staff. Changes tell open pages, like those of orders. */
export const makeGuestRequestTable = ({ read, write }: Database): GuestRequestTable => ({
  find: async (id) => columns.fromRows(await read('guest_requests').select(columns.aliases).where({ id }))[0],
  waiting: async (since, siteIds) => {
    const rows = read('guest_requests')
      .select(columns.aliases)
      .where('state', 'waiting')
      .where('created_at', '>', since)
      .orderBy(['created_at', 'id'])
      .limit(500);
    return columns.fromRows(await (siteIds ? rows.whereIn('site_id', siteIds) : rows));
  },
  add: (request, { maxWaiting, waitingSince }) =>
    inTransaction(write, async (transaction) => {
      // First, so that others who count wait for this one.
      await raiseRevisions(transaction, ['orders']);
      if (await transaction('guest_requests').where({ id: request.id }).first('id')) return 'known';
      const [{ count } = { count: 0 }] = await transaction('guest_requests')
        .where({ kiosk_id: request.kioskId, state: 'waiting' })
        .where('created_at', '>', waitingSince)
        .select<{ count: number | string }[]>(transaction.raw('count(*) as count'));
      if (Number(count) >= maxWaiting) return 'full';
      await transaction('guest_requests').insert(columns.toRow(request));
      return 'added';
    }),
  decide: ({ id, siteId, createdAt }, state, audit) =>
    inTransaction(write, async (transaction) => {
      await raiseRevisions(transaction, ['orders']);
      const decided = await transaction('guest_requests')
        .where({ id, state: 'waiting' })
        .update(columns.toRow({ state, decidedBy: audit.actorName }));
      if (decided === 0) return false;
      const site = await transaction('sites')
        .where({ id: siteId })
        .first<{ name: string } | undefined>('name');
      const subject = { subjectId: String(siteId), subjectName: site?.name ?? null };
      const entry = { ...audit, ...subject, subjectKind: 'site' } as const;
      await recordRetractableAudit(transaction, entry, auditKeyOf({ id, createdAt }));
      return true;
    }),
  reopen: ({ id, createdAt }) =>
    inTransaction(write, async (transaction) => {
      await raiseRevisions(transaction, ['orders']);
      const reopened = await transaction('guest_requests')
        .where({ id, state: 'approved', created_at: createdAt })
        .update(columns.toRow({ state: 'waiting', decidedBy: null }));
      if (reopened > 0) await retractAudit(transaction, auditKeyOf({ id, createdAt }));
    }),
  withdraw: ({ id, kioskId }) =>
    inTransaction(write, async (transaction) => {
      await raiseRevisions(transaction, ['orders']);
      const removed = await transaction('guest_requests')
        .where({ id, kiosk_id: kioskId, state: 'waiting' })
        .delete();
      return removed > 0;
    }),
  removeBefore: async (time) => {
    await write('guest_requests').where('created_at', '<', time).delete();
  },
});
