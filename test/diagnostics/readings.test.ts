import { expect, test } from '@jest/globals';
import { makeReadings } from '../../src/diagnostics/readings.js';
import { nodeSystem } from '../../src/lib/system.js';
import { withApi } from '../support/api.js';
import { makeFolder } from '../support/folder.js';
import { until } from '../support/until.js';

const api = withApi({ key: false });

test('a folder that is gone has no space, and the other keeps its own', async () => {
  const folder = await makeFolder();
  const read = makeReadings({
    ...{ tables: api.app.tables, database: api.database, system: nodeSystem, syncIntervalMs: 0 },
    controllers: {
      connectionOf: () => undefined,
      sinceLastCallMs: () => undefined,
      stateOf: () => {
        throw new Error('not needed');
      },
    },
    dataDir: folder.path,
    jobs: () => [],
    tlsExpiresAt: () => undefined,
    timeoutMs: 600_000,
  });
  const well = await read();
  expect(well.disks.map(({ space }) => (space?.sizeBytes ?? 0) > 0)).toEqual(well.disks.map(() => true));
  await folder.remove();
  const { disks } = await until('it is gone', async () => {
    const readings = await read();
    return readings.disks[0]?.space ? undefined : readings;
  });
  expect(disks[0]).toEqual({ folder: 'data', space: undefined });
  expect(disks.slice(1).map(({ space }) => (space?.sizeBytes ?? 0) > 0)).toEqual(
    well.disks.slice(1).map(() => true),
  );
});
