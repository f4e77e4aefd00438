import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { makePostgresDatabase, type TestDatabase } from '../support/databases.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { raceRounds } from '../support/races.js';
import { startService, type TestService } from '../support/service.js';
import { addConsole, type consoleKinds } from './consoleFixtures.js';

const orders = 20 * raceRounds;

let own: TestDatabase;
let folder: TestFolder;
let services: TestService[];
let console: UnifiConsole;
beforeAll(async () => {
  [own, folder] = [await makePostgresDatabase(), await makeFolder()];
  const env = { DATABASE_URL: own.url, CONTROLLER_DEADLINE_S: '600' };
  services = [];
  for (let count = 0; count < 4; count++) services.push(await startService({ dataDir: folder.path, env }));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await own.drop();
  await folder.remove();
});
beforeEach(async () => {
  // All of it happens in one second of the console's.
  const now = Date.now();
  console = await startUnifiConsole({ clock: () => now, loginLimit: 100 });
});
afterEach(() => console.stop());

const sorted = (codes: readonly string[]): string[] => [...codes].sort();
const codesThere = () => sorted(console.vouchers().map(({ code }) => code));
const recordedAt = async (siteIds: readonly number[]) =>
  sorted(await services[0]!.database.read('vouchers').whereIn('site_id', siteIds).pluck<string[]>('code'));

/**
 * Each process, eight at a time, orders the same again and again, at one of these sites after the other. Returns the
 * codes of the vouchers that clients were told of. A busy machine may not even reach the console in time.
 */
const orderAlike = async (siteIds: readonly number[], times: number): Promise<string[]> => {
  const key = await services[0]!.addKey();
  const codes: string[] = [];
  let left = times;
  const orderOn = async (service: TestService): Promise<void> => {
    while (left-- > 0) {
      const site_id = siteIds[left % siteIds.length];
      const { status, body } = await service.post('/vouchers.php', { site_id, name: 'Gast' }, { key });
      if (status === 201) codes.push((body as { code: string }).code);
    }
  };
  await Promise.all(services.flatMap((service) => Array.from({ length: 8 }, () => orderOn(service))));
  return codes;
};

const add = async (...kinds: (typeof consoleKinds)[number][]): Promise<number[]> => {
  const ids: number[] = [];
  for (const kind of kinds) ids.push(...(await addConsole(services[0]!, console, kind)));
  return ids;
};

test.each([
  ['one console', ['unifi-classic']],
  ['a console that is stored twice, once for each of its APIs', ['unifi', 'unifi-classic']],
] as const)(
  `of ${orders} orders alike in one second, by four processes on %s, each gets a voucher of its own`,
  async (_, kinds) => {
    const siteIds = await add(...kinds);
    const codes = await orderAlike(siteIds, orders);
    expect(codes.length).toBeGreaterThan(orders / 2);
    // No order for which a voucher was made is told otherwise, and none is told of another's.
    expect(sorted(codes)).toEqual(codesThere());
    expect(await recordedAt(siteIds)).toEqual(codesThere());
  },
);
