import { afterAll, beforeAll, test } from '@jest/globals';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { kills } from '../support/kills.js';
import { readDataSnapshot } from './dataSnapshot.js';
import { expectNothingLost } from './killScenario.js';
import { prepareTables } from './tablesFixture.js';

const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

let folder: TestFolder;
let key: string;
const siteIds: number[] = [];

/** Two sites on one controller, which answers at once, and one on another, which takes its time. */
beforeAll(async () => {
  folder = await makeFolder();
  key = await prepareTables(folder.path, async ({ controllers, sites }, now) => {
    for (const [controller, latencyMs, names] of [
      ['schnell', 0, ['Nord', 'Süd']],
      ['langsam', 15, ['West']],
    ] as const) {
      const settings = { latencyMs };
      const controllerId = await controllers.add({ name: controller, kind: 'simulated', settings }, now);
      for (const name of names) {
        siteIds.push(await sites.add({ name, active: true, controllerId, controllerSite: name }, now));
      }
    }
  });
});
afterAll(() => folder.remove());

test(`killed ${kills} times at random moments, the service loses no voucher and records none twice (KILL_SEED=${seed})`, async () => {
  const dataDir = folder.path;
  await expectNothingLost({ dataDir, key, siteIds, kills, seed, readBooks: () => readDataSnapshot(dataDir) });
});
