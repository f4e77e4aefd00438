import { afterAll, beforeAll, test } from '@jest/globals';
import { nodeSystem } from '../../src/lib/system.js';
import { sealCredentials } from '../../src/secrets/encryption.js';
import { openSecrets } from '../../src/secrets/secretKey.js';
import { onEachDatabase, type RadiusDatabase } from '../controllers/radiusSql/radiusDatabase.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { kills } from '../support/kills.js';
import { readDataSnapshot } from './dataSnapshot.js';
import { expectNothingLost } from './killScenario.js';
import { prepareTables } from './tablesFixture.js';

const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

onEachDatabase('the database of a FreeRADIUS server', (make, dialect) => {
  let folder: TestFolder;
  let radius: RadiusDatabase;
  let key: string;
  const siteIds: number[] = [];

  beforeAll(async () => {
    folder = await makeFolder();
    radius = await make();
    const secrets = openSecrets({ secretKey: undefined, dataDir: folder.path }, nodeSystem);
    const kind = 'radius-sql';
    const settings = { url: radius.url };
    const sealedCredentials = sealCredentials(secrets, { kind, settings }, radius.credentials);
    key = await prepareTables(folder.path, async ({ controllers, sites }, now) => {
      const controllerId = await controllers.add({ name: 'Radius', kind, settings, sealedCredentials }, now);
      for (const name of ['nord', 'sued', 'west'])
        siteIds.push(await sites.add({ name, active: true, controllerId, controllerSite: name }, now));
    });
  });
  afterAll(async () => {
    await radius.drop();
    await folder.remove();
  });

  /** Who signs in is who stands in FreeRADIUS' own table. */
  const madeVouchers = async () => {
    // Our table is made by the first order that gets so far.
    const schema = dialect === 'postgresql' ? 'current_schema()' : 'database()';
    const known = await radius.query(
      `select 1 from information_schema.tables where table_schema = ${schema} and table_name = 'voucherd_vouchers'`,
    );
    if (known.length === 0) return [];
    const rows = await radius.query(
      `select v.code, v.name from voucherd_vouchers v
       join radcheck c on c.username = v.code and c.attribute = 'Cleartext-Password'`,
    );
    return rows.map(({ code, name }) => ({ id: String(code), code: String(code), name: String(name) }));
  };

  test(`killed ${kills} times, the service loses no voucher and records none twice (KILL_SEED=${seed})`, async () => {
    const dataDir = folder.path;
    const books = async () => ({ ...(await readDataSnapshot(dataDir)), made: await madeVouchers() });
    await expectNothingLost({ dataDir, key, siteIds, kills, seed, readBooks: books });
  });
});
