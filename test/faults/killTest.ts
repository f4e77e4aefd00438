import { afterAll, beforeAll, test } from '@jest/globals';
import { nodeSystem } from '../../src/lib/system.js';
import { sealCredentials } from '../../src/secrets/encryption.js';
import { openSecrets } from '../../src/secrets/secretKey.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { kills } from '../support/kills.js';
import { readDataSnapshot, type Made } from './dataSnapshot.js';
import { expectNothingLost } from './killScenario.js';
import { prepareTables } from './tablesFixture.js';

const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** The sites that a controller of another program has. */
export const siteNames = ['nord', 'sued', 'west'] as const;

/** A controller that the service orders from while it is killed. */
export interface KilledBeside {
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly credentials?: Readonly<Record<string, string>>;
  readonly sites?: readonly string[];
  /** What it has made. A simulated one keeps that beside the data of the service. */
  made?(): readonly Made[] | Promise<readonly Made[]>;
  stop?(): Promise<unknown>;
}

/** Defines the test: a service that orders from these controllers is killed, and nothing is lost. */
export const testKills = (start: () => readonly KilledBeside[] | Promise<readonly KilledBeside[]>): void => {
  let folder: TestFolder;
  let controllers: readonly KilledBeside[];
  let key: string;
  const siteIds: number[] = [];

  beforeAll(async () => {
    folder = await makeFolder();
    controllers = await start();
    const secrets = openSecrets({ secretKey: undefined, dataDir: folder.path }, nodeSystem);
    key = await prepareTables(folder.path, async (tables, now) => {
      for (const [index, { kind, settings, credentials, sites = siteNames }] of controllers.entries()) {
        const sealed = credentials && {
          sealedCredentials: sealCredentials(secrets, { kind, settings }, credentials),
        };
        const name = `${kind} ${String(index)}`;
        const controllerId = await tables.controllers.add({ name, kind, settings, ...sealed }, now);
        for (const site of sites)
          siteIds.push(
            await tables.sites.add({ name: site, active: true, controllerId, controllerSite: site }, now),
          );
      }
    });
  });
  afterAll(async () => {
    for (const { stop } of controllers) await stop?.();
    await folder.remove();
  });

  test(`killed ${kills} times, the service loses no voucher and records none twice (KILL_SEED=${seed})`, async () => {
    const dataDir = folder.path;
    const readBooks = async () => {
      const books = await readDataSnapshot(dataDir);
      const made = [...books.made];
      for (const controller of controllers) made.push(...((await controller.made?.()) ?? []));
      return { ...books, made };
    };
    await expectNothingLost({ dataDir, key, siteIds, kills, seed, readBooks });
  });
};
