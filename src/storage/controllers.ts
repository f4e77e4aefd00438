import type { Knex } from 'knex';
import type { Sealed } from '../secrets/secrets.js';
import { defineColumns } from './columns.js';
import type { Database } from './database.js';
import { releaseIdempotencyKeys } from './idempotencyKeys.js';
import { findSitesOfController, inSitesTransaction, type StoredSite } from './sites.js';

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
  | { readonly outcome: 'refused'; readonly active: readonly StoredSite[]; readonly openIntents: number };

export interface ControllerTable {
  add(controller: NewController, at: number): Promise<number>;
  /** All controllers except removed ones. */
  all(): Promise<StoredController[]>;
  /** Removed controllers that stay because sites refer to them. */
  removed(): Promise<Pick<StoredController, 'id' | 'name'>[]>;
  /** Changes the given properties only. */
  change(
    id: number,
    values: Partial<Pick<StoredController, 'name' | 'settings' | 'identity' | 'sealedCredentials'>>,
  ): Promise<void>;
  /**
   * Removes a controller and its credentials, unless one of its sites is active or has an open intent. With `giveUp`,
   * open intents are removed too, and their idempotency keys can be used again.
   */
  remove(id: number, at: number, options?: { readonly giveUp: boolean }): Promise<ControllerRemoval>;
}

/** Databases limit the number of parameters of a statement. */
const deleteBatchSize = 500;

/** The table of controllers. Every change raises the revision of the sites. */
export const makeControllerTable = ({ read, write }: Database): ControllerTable => ({
  add: ({ sealedCredentials = null, ...controller }, at) =>
    inSitesTransaction(write, async (transaction) => {
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
      return id;
    }),
  all: async () =>
    columns.fromRows(await read('controllers').select(columns.aliases).whereNull('removed_at').orderBy('id')),
  removed: () =>
    read('controllers')
      .select<Pick<StoredController, 'id' | 'name'>[]>('id', 'name')
      .whereNotNull('removed_at')
      .orderBy('id'),
  change: (id, values) =>
    inSitesTransaction(write, async (transaction) => {
      await transaction('controllers').where({ id, removed_at: null }).update(columns.toRow(values));
    }),
  remove: (id, at, { giveUp } = { giveUp: false }) =>
    inSitesTransaction(write, async (transaction): Promise<ControllerRemoval> => {
      const sites = await findSitesOfController(transaction, id);
      const active = sites.filter((site) => site.active);
      const open = await openIntentIds(transaction, sites);
      if (active.length > 0 || (open.length > 0 && !giveUp))
        return { outcome: 'refused', active, openIntents: open.length };
      const controller = transaction('controllers').where({ id });
      if (sites.length === 0) {
        await controller.delete();
        return { outcome: 'removed' };
      }
      await controller.update({ sealed_credentials: null, removed_at: at });
      return { outcome: 'kept', sites, givenUp: await removeIntents(transaction, open) };
    }),
});

const openIntentIds = (transaction: Knex, sites: readonly StoredSite[]): Promise<string[]> =>
  transaction('intents')
    .whereIn(
      'site_id',
      sites.map(({ id }) => id),
    )
    .pluck<string[]>('id');

/** Keys first, in the same order as when a voucher is recorded: otherwise the two could deadlock. */
const removeIntents = async (transaction: Knex, ids: readonly string[]): Promise<number> => {
  const batches: string[][] = [];
  for (let start = 0; start < ids.length; start += deleteBatchSize)
    batches.push(ids.slice(start, start + deleteBatchSize));
  for (const batch of batches) await releaseIdempotencyKeys(transaction, batch);
  let removed = 0;
  for (const batch of batches) removed += await transaction('intents').whereIn('id', batch).delete();
  return removed;
};
