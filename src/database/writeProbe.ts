import type { System } from '../lib/system.js';
import type { Database } from './database.js';

/** More than the database pages that an order changes: if the probe fits on the disk, so does an order. */
const fillerBytes = 65_536;
/** A committed write costs a sync of the disk, so that its result counts for a while. */
const validMs = 5000;

/** Throws what the database throws when it can't commit a write. */
export type WriteProbe = () => Promise<void>;

/**
 * Commits a real write: a statement that changes nothing succeeds on a full disk, too. The new row is
 * inserted before the old one is deleted, so that it can't take the old one's place, and is random, so that
 * it can't be compressed.
 */
export const makeWriteProbe = (
  { write }: Pick<Database, 'write'>,
  system: Pick<System, 'now' | 'randomBytes'>,
): WriteProbe => {
  let succeededAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = system.now();
    if (now >= succeededAt && now < succeededAt + validMs) return;
    await write.transaction(async (trx) => {
      const [row] = await trx('write_probes')
        .insert({ filler: system.randomBytes(fillerBytes) })
        .returning<{ id: number }[]>('id');
      await trx('write_probes')
        .where('id', '<', row?.id ?? 0)
        .delete();
    });
    succeededAt = now;
  };
};
