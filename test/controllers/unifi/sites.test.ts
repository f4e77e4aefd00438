import { afterEach, expect, test } from '@jest/globals';
import type { ConsoleOptions } from '../../../simulators/unifi/settings.js';
import type { Controller } from '../../../src/controllers/controller.js';
import { makeUnifi } from '../../../src/controllers/unifi/unifi.js';
import { collectVouchers, someOrder } from '../../conformance/controller.js';
import { startTestConsole, type TestConsole } from '../../support/unifiConsole.js';
import { until } from '../../support/until.js';
import { errorOf } from '../https/target.js';
import { siteId, someVoucher, startScripted, type Line } from './scriptedConsole.js';

let own: TestConsole | undefined;
let controller: Controller;
const open = async (options: ConsoleOptions): Promise<TestConsole> => {
  own = await startTestConsole(options);
  controller = makeUnifi({ ...own.local, ...own.surroundings });
  return own;
};
afterEach(async () => {
  if (!own) return;
  await controller.close();
  await own.console.stop();
  own = undefined;
});

const north = { reference: 'x7k2', name: 'Nord' };
const south = { reference: 'p9q1', name: 'Süd' };
const usual = { reference: 'default', name: 'Default' };
const sitesUsed = (): string[] => own!.console.vouchers().map(({ site }) => site);

test('no site named is the only one, whatever it is called', async () => {
  await open({ sites: [north] });
  await controller.create(someOrder({ controllerSite: null }), 1);
  expect(sitesUsed()).toEqual(['x7k2']);
});

test('no site named is the default one of several', async () => {
  await open({ sites: [north, usual, south] });
  await controller.create(someOrder({ controllerSite: null }), 1);
  expect(sitesUsed()).toEqual(['default']);
});

test('no site named of several without a default is refused, with those that there are', async () => {
  await open({ sites: [north, south] });
  expect(await errorOf(controller.create(someOrder({ controllerSite: null }), 1))).toMatchObject({
    code: 'site',
    failure: { reason: 'several', known: ['x7k2', 'p9q1'] },
  });
});

test('a site that does not exist is refused, with those that there are', async () => {
  await open({ sites: [north, south] });
  expect(await errorOf(controller.create(someOrder({ controllerSite: 'west' }), 1))).toMatchObject({
    code: 'site',
    failure: { reason: 'not-listed', site: 'west', known: ['x7k2', 'p9q1'] },
  });
});

test('each site has vouchers of its own', async () => {
  await open({ sites: [north, south] });
  const made = await controller.create(someOrder({ controllerSite: 'x7k2' }), 1);
  await controller.create(someOrder({ controllerSite: 'p9q1' }), 1);
  expect(sitesUsed()).toEqual(['x7k2', 'p9q1']);
  expect(await collectVouchers(controller, 'x7k2')).toEqual(made);
});

test('a site beyond the first page of sites is found', async () => {
  const many = Array.from({ length: 30 }, (_, index) => ({
    reference: `site${index}`,
    name: `Haus ${index}`,
  }));
  await open({ sites: many, maxPage: 10 });
  await controller.create(someOrder({ controllerSite: 'site29' }), 1);
  expect(sitesUsed()).toEqual(['site29']);
  expect((await controller.probe()).sites).toHaveLength(30);
});

const listsAsked = (): number => own!.console.counts.byRoute['GET sites'] ?? 0;

test('the list of sites is asked for once, however many of them are used', async () => {
  const many = Array.from({ length: 30 }, (_, index) => ({
    reference: `site${index}`,
    name: `Haus ${index}`,
  }));
  await open({ sites: many, maxPage: 10 });
  await collectVouchers(controller, 'site29');
  const forOne = listsAsked();
  for (const { reference } of many) await collectVouchers(controller, reference);
  await Promise.all(many.map(({ reference }) => collectVouchers(controller, reference)));
  expect(listsAsked()).toBe(forOne);
});

test('a site that is not on the list is looked for once more, and the others go by the newer list', async () => {
  await open({ sites: [north, south] });
  await collectVouchers(controller, 'x7k2');
  expect(await errorOf(collectVouchers(controller, 'west'))).toMatchObject({ code: 'site' });
  expect(listsAsked()).toBe(2);
  await collectVouchers(controller, 'p9q1');
  expect(listsAsked()).toBe(2);
});

test('a site that was made since the list was read is found', async () => {
  const known = [{ id: siteId, internalReference: 'default', name: 'Default' }];
  const scripted = await startScripted(({ path = '' }) => page(path.includes('/sites?') ? known : []));
  await collectVouchers(scripted.controller);
  known.push({ id: movedId, internalReference: 'west', name: 'West' });
  expect(await collectVouchers(scripted.controller, 'west')).toEqual([]);
  expect(scripted.asked()).toEqual([
    'GET /sites',
    `GET /sites/${siteId}/hotspot/vouchers`,
    'GET /sites',
    `GET /sites/${movedId}/hotspot/vouchers`,
  ]);
  await scripted.stop();
});

test('a probe names the sites as they are to be written', async () => {
  await open({ sites: [north, usual] });
  expect((await controller.probe()).sites).toEqual([
    { id: 'x7k2', name: 'Nord' },
    { id: 'default', name: 'Default' },
  ]);
});

test('a look-up that failed is not kept', async () => {
  const { console } = await open({});
  // Each is asked twice.
  console.fault({ kind: 'reset-before', on: 'all', times: 2 });
  expect(await errorOf(controller.create(someOrder(), 1))).toMatchObject({ name: 'ControllerError' });
  expect(console.vouchers()).toEqual([]);
  expect(await controller.create(someOrder(), 1)).toHaveLength(1);
});

test('a look-up ends when nobody waits for it any more, and not before', async () => {
  const { console } = await open({});
  console.fault({ kind: 'hang', on: 'all', times: 1 });
  const aborts = [new AbortController(), new AbortController()];
  const orders = aborts.map(({ signal }) => errorOf(controller.create(someOrder(), 1, signal)));
  await until('it has begun', () => console.counts.byRoute['GET sites'] === 1);
  aborts[0]?.abort();
  expect(await orders[0]).toMatchObject({ code: 'timeout' });
  expect(console.counts.open).toBe(1);
  aborts[1]?.abort();
  expect(await orders[1]).toMatchObject({ code: 'timeout' });
  await until('it is over', () => console.counts.open === 0);
  expect(await controller.create(someOrder(), 1)).toHaveLength(1);
});

const page = (data: readonly unknown[]): Line => ({
  body: { count: data.length, totalCount: data.length, data },
});
const gone: Line = { status: 404, body: { statusCode: 404, message: 'Site not found' } };
const movedId = '77777777-2222-3333-4444-555555555555';

test('a site that was made anew is looked up again, and the order repeated once', async () => {
  let id = siteId;
  const scripted = await startScripted(({ method, path = '' }) => {
    if (path.includes('/sites?')) return page([{ id, internalReference: 'default', name: 'Default' }]);
    if (!path.includes(id)) return gone;
    return method === 'POST' ? { status: 201, body: { vouchers: [someVoucher] } } : page([]);
  });
  await scripted.controller.create(someOrder(), 1);
  id = movedId;
  expect(await scripted.controller.create(someOrder(), 1)).toHaveLength(1);
  expect(scripted.asked()).toEqual([
    'GET /sites',
    `POST /sites/${siteId}/hotspot/vouchers`,
    `POST /sites/${siteId}/hotspot/vouchers`,
    'GET /sites',
    `POST /sites/${movedId}/hotspot/vouchers`,
  ]);
  expect(await collectVouchers(scripted.controller)).toEqual([]);
  await scripted.stop();
});

test('a site by its id is used as it is', async () => {
  const scripted = await startScripted(() => ({ status: 201, body: { vouchers: [someVoucher] } }));
  await scripted.controller.create(someOrder({ controllerSite: siteId }), 1);
  expect(scripted.asked()).toEqual([`POST /sites/${siteId}/hotspot/vouchers`]);
  await scripted.stop();
});

test('an id that the controller does not know is refused', async () => {
  await open({});
  expect(await errorOf(controller.create(someOrder({ controllerSite: siteId }), 1))).toMatchObject({
    code: 'site',
    failure: { reason: 'unknown' },
  });
});

test('a controller that is too old for vouchers says so', async () => {
  await open({ version: '9.0.99' });
  expect(await errorOf(controller.create(someOrder(), 1))).toMatchObject({
    code: 'refused',
    failure: { reason: 'no-vouchers', needed: '9.1.120' },
  });
});

test('an address under which something else answers is no unknown site', async () => {
  const scripted = await startScripted(() => ({ status: 404, body: '<html>' }));
  expect(await errorOf(scripted.controller.create(someOrder(), 1))).toMatchObject({
    code: 'unreadable',
    failure: { reason: 'no-integration-api' },
  });
  await scripted.stop();
});

test('an application that moves behind a gateway is found again', async () => {
  let under = '/integration/v1';
  const scripted = await startScripted(({ method, path = '' }) => {
    if (!path.startsWith(`${under}/`)) return { status: 404, body: '<html>' };
    if (method === 'POST') return { status: 201, body: { vouchers: [someVoucher] } };
    if (path.endsWith('/info')) return { body: { applicationVersion: '10.5.66' } };
    return page([{ id: siteId, internalReference: 'default', name: 'Default' }]);
  });
  expect(await scripted.controller.create(someOrder(), 1)).toHaveLength(1);
  under = '/proxy/network/integration/v1';
  expect(await scripted.controller.create(someOrder(), 1)).toHaveLength(1);
  await scripted.stop();
});
