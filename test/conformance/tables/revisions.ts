import { expect, test } from '@jest/globals';
import { raiseRevisions } from '../../../src/database/revisions.js';
import { makeTables } from '../../../src/app/tables.js';
import { openPatiently } from '../../support/databases.js';
import { addSite, someRecord } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

export const revisionConformance = (shared: () => Shared): void => {
  test('what never changed has revision 0', async () => {
    expect(await shared().tables.revisions.current('site:2000000000')).toBe(0);
  });

  test('a revision rises by one per change, and no other does', async () => {
    const { database, tables } = shared();
    await raiseRevisions(database.write, ['site:1900000001', 'site:1900000001']);
    await raiseRevisions(database.write, ['site:1900000001', 'site:1900000002']);
    expect(await tables.revisions.current('site:1900000001')).toBe(2);
    expect(await tables.revisions.current('site:1900000002')).toBe(1);
  });

  test('changes of the same revisions at the same time neither deadlock nor get lost', async () => {
    const { database, tables } = shared();
    const [a, b] = ['site:1900000003', 'site:1900000004'] as const;
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        database.write.transaction((transaction) => raiseRevisions(transaction, index % 2 ? [a, b] : [b, a])),
      ),
    );
    expect(await Promise.all([a, b].map(async (name) => tables.revisions.current(name)))).toEqual([40, 40]);
  });

  test('however many requests wait for it, a revision costs at most one query per turn', async () => {
    const { database, tables } = shared();
    let queries = 0;
    const count = (): void => {
      queries++;
    };
    database.read.on('query', count);
    try {
      const names = Array.from({ length: 150 }, (_, index) => `site:${index % 50}` as const);
      await Promise.all(names.map(async (name) => tables.revisions.current(name)));
      expect(queries).toBe(1);
      await Promise.all(names.map(async (name) => tables.revisions.current(name)));
      expect(queries).toBe(2);
    } finally {
      database.read.removeListener('query', count);
    }
  });

  test('a revision read after a change by another process shows the change', async () => {
    const { url, tables } = shared();
    const place = await addSite(tables);
    const name = `site:${place.siteId}` as const;
    const before = await tables.revisions.current(name);
    const other = openPatiently(url);
    try {
      await makeTables(other).vouchers.record(someRecord(place));
    } finally {
      await other.close();
    }
    expect(await tables.revisions.current(name)).toBe(before + 1);
  });
};
