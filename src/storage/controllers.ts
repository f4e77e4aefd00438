import type { Knex } from 'knex';
import type { Sealed } from '../secrets/secrets.js';
import { defineColumns } from './columns.js';
import type { Database } from './database.js';
import { releaseIdempotencyKeys } from './idempotencyKeys.js';
import { findSitesOfController, inSitesTransaction, type StoredSite } from './sites.js';

/** A controller as it is stored. */
export interface StoredController {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** JSON of what it is signed in to with, sealed; null where nothing is needed. */
  readonly sealedCredentials: string | null;
  /** What tells its console from others, when it was seen: its certificate's fingerprint, or its id in the cloud. */
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

/** What became of the wish to remove a controller. */
export type ControllerRemoval =
  | { readonly outcome: 'removed' }
  /** Its inactive sites and their vouchers still name it. */
  | { readonly outcome: 'kept'; readonly sites: readonly StoredSite[]; readonly givenUp: number }
  | { readonly outcome: 'refused'; readonly active: readonly StoredSite[]; readonly openIntents: number };

export interface ControllerTable {
  add(controller: NewController, at: number): Promise<number>;
  /** All but those that were removed. */
  all(): Promise<StoredController[]>;
  /** Those that were removed and are kept for the sake of their sites. */
  removed(): Promise<Pick<StoredController, 'id' | 'name'>[]>;
  /** Changes what is given, and leaves the rest. */
  change(
    id: number,
    values: Partial<Pick<StoredController, 'name' | 'settings' | 'identity' | 'sealedCredentials'>>,
  ): Promise<void>;
  /**
   * Removes a controller with its credentials, unless a site of it is active or has an intent that is open. With
   * `giveUp` open intents do not keep it: they are removed as well, and their idempotency keys are free again.
   */
  remove(id: number, at: number, options?: { readonly giveUp: boolean }): Promise<ControllerRemoval>;
}

/** A statement takes only so many parameters. */
const deleteBatchSize = 500;

export const makeControllerTable = ({ read, write }: Database): ControllerTable => ({
  add: ({ sealedCredentials = null, ...controller }, at) =>
    inSitesTransaction(write, async (transaction) => {
      const [row] = await transaction('controllers')
        .insert({
          ...columns.toRow(controller),
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

/** The keys come first, as where a voucher is recorded: the other way round the two could block each other. */
const removeIntents = async (transaction: Knex, ids: readonly string[]): Promise<number> => {
  const batches: string[][] = [];
  for (let start = 0; start < ids.length; start += deleteBatchSize)
    batches.push(ids.slice(start, start + deleteBatchSize));
  for (const batch of batches) await releaseIdempotencyKeys(transaction, batch);
  let removed = 0;
  for (const batch of batches) removed += await transaction('intents').whereIn('id', batch).delete();
  return removed;
};
