import { Refusal } from '../errors/problem.js';
import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import type { Sealed } from '../secrets/encryption.js';
import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { findSitesOfController, inSitesTransaction, type StoredSite } from '../sites/siteTable.js';

export interface StoredController {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The credentials as sealed JSON; null when none are needed. */
  readonly sealedCredentials: string | null;
  /** Identifies the console, once it was seen: the fingerprint of its certificate, or its id in the cloud. */
  readonly identity: string | null;
}

const columns = defineColumns<StoredController>({
  id: 'plain',
  name: 'plain',
  kind: 'plain',
  settings: 'json',
  sealedCredentials: 'plain',
  identity: 'plain',
});

export type NewController = Pick<StoredController, 'name' | 'kind' | 'settings'> &
  Partial<Pick<StoredController, 'identity'>> & { readonly sealedCredentials?: Sealed | null };

/** The outcome of removing a controller. */
export type ControllerRemoval =
  | { readonly outcome: 'removed' }
  /** It stays without credentials, because its inactive sites and their vouchers refer to it. */
  | { readonly outcome: 'kept'; readonly sites: readonly StoredSite[]; readonly givenUp: number }
  | { readonly outcome: 'refused'; readonly active: readonly StoredSite[]; readonly openIntents: number }
  | { readonly outcome: 'unknown' };

/** With `giveUp`, also when the outcome of an order is not known. */
export interface ControllerRemovalOptions {
  readonly giveUp: boolean;
}

/**
 * Orders at a controller whose outcome is not known. Vouchers have their table; a removal asks for them here.
 */
export interface OpenOrders {
  /** The ids of those at these sites. */
  find(transaction: Knex, siteIds: readonly number[]): Promise<string[]>;
  /** Gives them up and returns how many there were. Their idempotency keys can be used again. */
  giveUp(transaction: Knex, ids: readonly string[]): Promise<number>;
}

/** Changes are recorded in the audit log where a draft of the entry is given. */
export interface ControllerTable {
  /** Throws the refusal `name-taken`. */
  add(controller: NewController, at: number, audit?: AuditDraft): Promise<number>;
  /** All controllers except removed ones. */
  all(): Promise<StoredController[]>;
  /** Removed controllers that stay because sites refer to them. */
  removed(): Promise<NamedController[]>;
  /**
   * Changes the given properties only. Returns false when there is none. Throws the refusals `name-taken`,
   * and `changed-meanwhile` when its settings are no longer the `earlier` ones.
   */
  change(
    id: number,
    values: Partial<Pick<StoredController, 'name' | 'settings' | 'identity' | 'sealedCredentials'>>,
    audit?: AuditDraft,
    earlier?: Pick<StoredController, 'settings'>,
  ): Promise<boolean>;
  /**
   * Removes a controller and its credentials, unless one of its sites is active or has an open intent.
   * With `giveUp`, open intents are removed too, and their idempotency keys can be used again.
   */
  remove(
    id: number,
    at: number,
    options?: ControllerRemovalOptions,
    audit?: AuditDraft,
  ): Promise<ControllerRemoval>;
  /** Notes that all vouchers of a controller were compared. */
  noteSync(id: number, at: number): Promise<void>;
  /**
   * When all vouchers of these controllers were last compared; null for never. Any process may have done it.
   */
  lastSyncs(ids: readonly number[]): Promise<(number | null)[]>;
}

/** The table of controllers. Every change raises the revision of the sites. */
export const makeControllerTable = ({ read, write }: Database, openOrders: OpenOrders): ControllerTable => ({
  add: ({ sealedCredentials = null, ...controller }, at, audit) =>
    inSitesTransaction(write, async (transaction) => {
      await assertNameFree(transaction, controller.name);
      const [row] = await transaction('controllers')
        .insert({
          ...columns.toNewRow(controller),
          sealed_credentials: typeof sealedCredentials === 'function' ? null : sealedCredentials,
          created_at: at,
        })
        .returning<{ id: number }[]>('id');
      const id = row?.id ?? 0;
      if (typeof sealedCredentials === 'function')
        await transaction('controllers')
          .where({ id })
          .update({ sealed_credentials: sealedCredentials(id) });
      await recordChange(transaction, { id, name: controller.name }, audit);
      return id;
    }),
  all: async () =>
    columns.fromRows(await read('controllers').select(columns.aliases).whereNull('removed_at').orderBy('id')),
  removed: () =>
    read('controllers').select<NamedController[]>('id', 'name').whereNotNull('removed_at').orderBy('id'),
  change: (id, values, audit, earlier) =>
    inSitesTransaction(write, async (transaction) => {
      const known = await findNotRemoved(transaction, id);
      if (!known) return false;
      if (earlier) await assertUnchanged(transaction, id, earlier);
      if (values.name !== undefined) await assertNameFree(transaction, values.name, id);
      await transaction('controllers').where({ id }).update(columns.toRow(values));
      await recordChange(transaction, { id, name: values.name ?? known.name }, audit);
      return true;
    }),
  remove: (id, at, options, audit) =>
    inSitesTransaction(write, async (transaction): Promise<ControllerRemoval> => {
      const known = await findNotRemoved(transaction, id);
      if (!known) return { outcome: 'unknown' };
      const sites = await findSitesOfController(transaction, id);
      const active = sites.filter((site) => site.active);
      const open = await openOrders.find(
        transaction,
        sites.map((site) => site.id),
      );
      if (active.length > 0 || (open.length > 0 && options?.giveUp !== true))
        return { outcome: 'refused', active, openIntents: open.length };
      await recordChange(transaction, known, audit);
      const controller = transaction('controllers').where({ id });
      if (sites.length === 0) {
        await controller.delete();
        return { outcome: 'removed' };
      }
      await controller.update({ sealed_credentials: null, removed_at: at });
      return {
        outcome: 'kept',
        sites,
        givenUp: await openOrders.giveUp(transaction, open),
      };
    }),
  noteSync: async (id, at) => {
    await write('controllers').where({ id }).update({ last_sync_at: at });
  },
  lastSyncs: async (ids) => {
    const rows = await read('controllers')
      .select<{ id: number; last_sync_at: number | null }[]>('id', 'last_sync_at')
      .whereIn('id', [...ids]);
    const times = new Map(rows.map(({ id, last_sync_at: at }) => [id, at]));
    return ids.map((id) => times.get(id) ?? null);
  },
});

type NamedController = Pick<StoredController, 'id' | 'name'>;

const findNotRemoved = (transaction: Knex, id: number): Promise<NamedController | undefined> =>
  transaction('controllers').where({ id, removed_at: null }).first<NamedController | undefined>('id', 'name');

const assertNameFree = async (transaction: Knex, name: string, exceptId?: number): Promise<void> => {
  const other = await transaction('controllers')
    .where({ name, removed_at: null })
    .first<{ id: number } | undefined>('id');
  if (other && other.id !== exceptId)
    throw new Refusal('name-taken', `there is already a controller named "${name}"`);
};

const assertUnchanged = async (
  transaction: Knex,
  id: number,
  { settings }: Pick<StoredController, 'settings'>,
): Promise<void> => {
  const [now] = columns.fromRows(await transaction('controllers').select(columns.aliases).where({ id }));
  if (!isDeepStrictEqual(now?.settings, settings))
    throw new Refusal('changed-meanwhile', 'somebody else has changed it meanwhile');
};

const recordChange = async (
  transaction: Knex,
  { id, name }: NamedController,
  audit: AuditDraft | undefined,
): Promise<void> => {
  if (!audit) return;
  await recordAudit(transaction, {
    ...audit,
    subjectKind: 'controller',
    subjectId: String(id),
    subjectName: name,
  });
};
