import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { makePostgresDatabase, type TestDatabase } from '../support/databases.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { startService, type TestService } from '../support/service.js';
import { addConsole, type consoleKinds } from './syncSupport.js';

let own: TestDatabase;
let folder: TestFolder;
let services: TestService[];
let console: UnifiConsole;
beforeEach(async () => {
  [own, folder] = [await makePostgresDatabase(), await makeFolder()];
  // All of it happens in one second of the console's.
  const now = Date.now();
  console = await startUnifiConsole({ clock: () => now, loginLimit: 100 });
  const env = { DATABASE_URL: own.url, CONTROLLER_DEADLINE_S: '120', RECONCILE_INTERVAL_S: '3600' };
  services = [];
  for (let count = 0; count < 4; count++) services.push(await startService({ dataDir: folder.path, env }));
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await console.stop();
  await own.drop();
  await folder.remove();
});

const sorted = (codes: readonly string[]): string[] => [...codes].sort();
const codesThere = () => sorted(console.vouchers().map(({ code }) => code));
const recorded = async () =>
  sorted(await services[0]!.service.database.read('vouchers').pluck<string[]>('code'));

/** Each process, eight at a time, orders the same again and again, at one of these sites after the other. */
const orderAlike = async (siteIds: readonly number[], times: number): Promise<[number, string][]> => {
  const key = await services[0]!.addKey();
  const answers: [number, string][] = [];
  let left = times;
  const orderOn = async (service: TestService): Promise<void> => {
    while (left-- > 0) {
      const site_id = siteIds[left % siteIds.length];
      const { status, body } = await service.post('/vouchers.php', { site_id, name: 'Gast' }, { key });
      answers.push([status, (body as { code?: string }).code ?? '']);
    }
  };
  await Promise.all(services.flatMap((service) => Array.from({ length: 8 }, () => orderOn(service))));
  return answers;
};

const add = async (...kinds: (typeof consoleKinds)[number][]): Promise<number[]> => {
  const ids: number[] = [];
  for (const kind of kinds) ids.push(...(await addConsole(services[0]!, console, kind)));
  return ids;
};

test('of 200 orders alike in one second, by four processes on one console, each gets a voucher of its own', async () => {
  const answers = await orderAlike(await add('unifi-classic'), 200);
  expect(answers.filter(([status]) => status !== 201)).toEqual([]);
  expect(codesThere()).toHaveLength(200);
  expect(sorted(answers.map(([, code]) => code))).toEqual(codesThere());
  expect(await recorded()).toEqual(codesThere());
}, 300_000);

test('a console that is stored twice, once for each of its APIs, gives no voucher to two orders', async () => {
  const answers = await orderAlike(await add('unifi', 'unifi-classic'), 200);
  expect(answers.filter(([status]) => status !== 201)).toEqual([]);
  expect(codesThere()).toHaveLength(200);
  expect(sorted(answers.map(([, code]) => code))).toEqual(codesThere());
  expect(await recorded()).toEqual(codesThere());
}, 300_000);
