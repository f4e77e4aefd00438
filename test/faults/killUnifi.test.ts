import { afterAll, beforeAll, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { nodeSystem } from '../../src/lib/system.js';
import { openSecrets } from '../../src/secrets/secretKey.js';
import { sealCredentials } from '../../src/secrets/encryption.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { kills } from '../support/kills.js';
import { readDataSnapshot } from './dataSnapshot.js';
import { expectNothingLost } from './killScenario.js';
import { prepareTables } from './tablesFixture.js';

const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

let folder: TestFolder;
let console: UnifiConsole;
let key: string;
const siteIds: number[] = [];

beforeAll(async () => {
  folder = await makeFolder();
  const references = ['nord', 'sued', 'west'];
  console = await startUnifiConsole({
    sites: references.map((reference) => ({ reference, name: reference })),
  });
  const secrets = openSecrets({ secretKey: undefined, dataDir: folder.path }, nodeSystem);
  const { apiKey, url, fingerprint } = console;
  const kind = 'unifi';
  const settings = { url, fingerprint };
  const sealedCredentials = sealCredentials(secrets, { kind, settings }, { apiKey });
  key = await prepareTables(folder.path, async ({ controllers, sites }, now) => {
    const controllerId = await controllers.add({ name: 'Konsole', kind, settings, sealedCredentials }, now);
    for (const name of references)
      siteIds.push(await sites.add({ name, active: true, controllerId, controllerSite: name }, now));
  });
});
afterAll(async () => {
  await console.stop();
  await folder.remove();
});

test(`killed ${kills} times beside a UniFi console, the service loses no voucher and records none twice (KILL_SEED=${seed})`, async () => {
  const dataDir = folder.path;
  const books = async () => ({
    ...(await readDataSnapshot(dataDir)),
    made: console.vouchers().map(({ id, code, name }) => ({ id, code, name })),
  });
  await expectNothingLost({ dataDir, key, siteIds, kills, seed, readBooks: books });
});
