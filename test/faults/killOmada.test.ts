import { afterAll, beforeAll, test } from '@jest/globals';
import { startOmadaController, type OmadaController } from '../../simulators/omada/controller.js';
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
let omada: OmadaController;
let key: string;
const siteIds: number[] = [];

beforeAll(async () => {
  folder = await makeFolder();
  const references = ['nord', 'sued', 'west'];
  omada = await startOmadaController({ sites: references.map((id) => ({ id, name: id })) });
  const secrets = openSecrets({ secretKey: undefined, dataDir: folder.path }, nodeSystem);
  const { url, fingerprint, clientId, clientSecret } = omada;
  const kind = 'omada';
  const settings = { url, fingerprint };
  const sealedCredentials = sealCredentials(secrets, { kind, settings }, { clientId, clientSecret });
  key = await prepareTables(folder.path, async ({ controllers, sites }, now) => {
    const controllerId = await controllers.add({ name: 'Omada', kind, settings, sealedCredentials }, now);
    for (const name of references)
      siteIds.push(await sites.add({ name, active: true, controllerId, controllerSite: name }, now));
  });
});
afterAll(async () => {
  await omada.stop();
  await folder.remove();
});

test(`killed ${kills} times beside an Omada controller, the service loses no voucher and records none twice (KILL_SEED=${seed})`, async () => {
  const dataDir = folder.path;
  /** The whole name of an order is in the description of its group. */
  const books = async () => ({
    ...(await readDataSnapshot(dataDir)),
    made: omada.vouchers().map(({ id, code, description }) => ({ id, code, name: description })),
  });
  await expectNothingLost({ dataDir, key, siteIds, kills, seed, readBooks: books });
});
