import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { startMikrotikRouter, type MikrotikRouter } from '../../simulators/mikrotik/router.js';
import { nodeSystem } from '../../src/lib/system.js';
import { openSecrets } from '../../src/secrets/secretKey.js';
import { sealCredentials } from '../../src/secrets/encryption.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { kills } from '../support/kills.js';
import { readDataSnapshot } from './dataSnapshot.js';
import { expectNothingLost } from './killScenario.js';
import { prepareTables } from './tablesFixture.js';

const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

describe.each(['on', 'absent'] as const)('beside a MikroTik router (User Manager: %s)', (userManager) => {
  let folder: TestFolder;
  let router: MikrotikRouter;
  let key: string;
  const siteIds: number[] = [];

  beforeAll(async () => {
    folder = await makeFolder();
    const references = ['nord', 'sued', 'west'];
    router = await startMikrotikRouter({ servers: references, userManager });
    const secrets = openSecrets({ secretKey: undefined, dataDir: folder.path }, nodeSystem);
    const { url, fingerprint, username, password } = router;
    const kind = 'mikrotik';
    const settings = { url, fingerprint };
    const sealedCredentials = sealCredentials(secrets, { kind, settings }, { username, password });
    key = await prepareTables(folder.path, async ({ controllers, sites }, now) => {
      const controllerId = await controllers.add({ name: 'Router', kind, settings, sealedCredentials }, now);
      for (const name of references)
        siteIds.push(await sites.add({ name, active: true, controllerId, controllerSite: name }, now));
    });
  });
  afterAll(async () => {
    await router.stop();
    await folder.remove();
  });

  test(`killed ${kills} times, the service loses no voucher and records none twice (KILL_SEED=${seed})`, async () => {
    const dataDir = folder.path;
    /** The name of an order is at the end of the comment of its user. */
    const nameOf = (comment: string): string => decodeURIComponent(comment.split(' name=')[1] ?? '');
    const books = async () => ({
      ...(await readDataSnapshot(dataDir)),
      made: router.vouchers().map(({ code, name }) => ({ id: code, code, name: nameOf(name) })),
    });
    await expectNothingLost({ dataDir, key, siteIds, kills, seed, readBooks: books });
  });
});
