import type { Database } from './database.js';

/** Work that one process does at a time. A lease that is not renewed in time is free for another. */
export interface LeaseTable {
  /** Takes or renews a lease. False while somebody else holds it. */
  take(name: string, owner: string, now: number, ms: number): Promise<boolean>;
  release(name: string, owner: string): Promise<void>;
}

export const makeLeaseTable = ({ write }: Database): LeaseTable => ({
  take: async (name, owner, now, ms) => {
    const rows = await write('leases')
      .insert({ name, owner, until: now + ms })
      .onConflict('name')
      .merge()
      .where((free) =>
        free
          .where('leases.until', '<', now)
          .orWhere('leases.owner', owner)
          // Nobody takes one for that long: the clock was set back.
          .orWhere('leases.until', '>', now + 2 * ms),
      )
      .returning('name');
    return rows.length > 0;
  },
  release: async (name, owner) => {
    await write('leases').where({ name, owner }).delete();
  },
});
