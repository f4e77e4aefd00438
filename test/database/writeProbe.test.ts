import { describe, expect, test } from '@jest/globals';
import { nodeSystem } from '../../src/lib/system.js';
import { makeWriteProbe } from '../../src/database/writeProbe.js';
import { makeClock } from '../support/clock.js';
import { makePostgresDatabase, makeSqliteDatabase, openPatiently } from '../support/databases.js';
import { forAllTests } from '../support/fixture.js';

describe.each([
  ['SQLite', makeSqliteDatabase, 'SQLITE_CONSTRAINT'],
  ['PostgreSQL', makePostgresDatabase, 'duplicate key'],
])('a write probe on %s', (_, makeDatabase, message) => {
  const own = forAllTests(makeDatabase, 'drop');
  const database = forAllTests(() => openPatiently(own.url), 'close');

  const rows = (): Promise<{ id: number; filler: Buffer }[]> => database.read('write_probes').select();

  test('commits a row of 64 KiB in place of the one before, at most every five seconds', async () => {
    const clock = makeClock();
    const probe = makeWriteProbe(database, { ...nodeSystem, now: clock.now });
    await probe();
    const [first, ...others] = await rows();
    expect(others).toEqual([]);
    expect(first?.filler).toHaveLength(65_536);
    clock.advance(4999);
    await probe();
    expect(await rows()).toEqual([first]);
    clock.advance(1);
    await probe();
    const [second, ...more] = await rows();
    expect(more).toEqual([]);
    expect(second?.id).toBeGreaterThan(first?.id ?? 0);
    // A clock that was set back proves nothing about the time since.
    clock.advance(-60_000);
    await probe();
    expect((await rows())[0]?.id).toBeGreaterThan(second?.id ?? 0);
  });

  test('fails when the write fails, and tries again at the next call', async () => {
    const filler = Buffer.alloc(65_536);
    await database.write('write_probes').delete();
    await database.write('write_probes').insert({ id: 1000, filler });
    await database.write.raw('create unique index probe_filler on write_probes (length(filler))');
    const probe = makeWriteProbe(database, nodeSystem);
    await expect(probe()).rejects.toThrow(message);
    await database.write.raw('drop index probe_filler');
    await probe();
  });
});
