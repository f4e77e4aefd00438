import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { controllerVouchers, failInserts, rowsOf } from '../support/serviceInternals.js';
import { look, place, placed, withOrders, type Order } from './ordersFixture.js';

const orders = withOrders({ perTest: 'service' });
const { api, codesThere, settle } = orders;

const namesOf = ({ vouchers }: Order): string[] => vouchers.map(({ name }) => name);

test('a list of names makes one voucher each, with one call of the controller, one notification and one entry', async () => {
  const siteId = await api.addSite();
  const names = ['Anna Berger', 'Łukasz Müller', 'Zoë "Zo" O’Neill', 'Anna Berger'];
  const id = randomUUID();
  const order = await placed(api.admin, { siteId, name: 'Tagung', count: 4, names }, id);
  expect(order).toMatchObject({ state: 'made', made: 4, name: 'Tagung' });
  expect(namesOf(order)).toEqual(names.map((name) => `2026-11-14_${name}`));
  // The controller takes one name for all of an order.
  const there = await controllerVouchers(api, siteId);
  expect(new Set(there.map(({ name }) => name))).toEqual(new Set(['2026-11-14_Tagung']));
  expect(await rowsOf(api, 'notifications')).toMatchObject([{ count: 4 }]);
  const found = (await api.admin.get('/vouchers?text=mueller')).body;
  expect(found).toMatchObject({ vouchers: [{ name: '2026-11-14_Łukasz Müller' }] });
  // Sent again, it is the same order; with another list it is not.
  expect(await placed(api.admin, { siteId, name: 'Tagung', count: 4, names }, id)).toEqual(order);
  const other = { siteId, name: 'Tagung', count: 4, names: names.toReversed() };
  expect(await place(api.admin, id, other)).toMatchObject({
    status: 409,
    body: { message: 'order-changed' },
  });
  expect(await controllerVouchers(api, siteId)).toHaveLength(4);
});

test('a list whose answer is lost gets its vouchers and names from the reconciler, and nothing twice', async () => {
  const siteId = await api.addSite({ fault: 'disconnect' });
  const names = Array.from({ length: 30 }, (_, index) => `Gast ${String(index)}`);
  const order = await placed(api.admin, { siteId, name: '', count: 30, names });
  expect(order).toMatchObject({ state: 'open', made: 0 });
  expect(await settle()).toBe(0);
  const found = await look(api.admin, order.id);
  expect(found).toMatchObject({ state: 'made', made: 30, reason: null });
  expect(namesOf(found)).toEqual(names.map((name) => `2026-11-14_${name}`));
  expect(await settle()).toBe(0);
  expect(await codesThere(siteId)).toHaveLength(30);
  expect(await rowsOf(api, 'vouchers')).toHaveLength(30);
});

test('a process that ends before it records a list loses none of it', async () => {
  const siteId = await api.addSite();
  const names = ['Anna', 'Ben', 'Cleo'];
  // As if it had been killed between the answer of the controller and the record.
  const mend = await failInserts(api, 'vouchers', 'killed');
  const id = randomUUID();
  expect((await place(api.admin, id, { siteId, name: 'Liste', count: 3, names })).status).toBe(500);
  await mend();
  expect(await settle()).toBe(0);
  const found = await look(api.admin, id);
  expect(namesOf(found)).toEqual(names.map((name) => `2026-11-14_${name}`));
  expect(await codesThere(siteId)).toHaveLength(3);
});

test('a list may have 500 of the longest names', async () => {
  const siteId = await api.addSite();
  const names = Array.from({ length: 500 }, (_, index) => `${'Ö'.repeat(240)} ${String(index)}`);
  const order = await placed(api.admin, { siteId, name: '', count: 500, names });
  expect(order).toMatchObject({ state: 'made', count: 500 });
});

test('many without names are numbered where that is asked for', async () => {
  const siteId = await api.addSite();
  expect(namesOf(await placed(api.admin, { siteId, name: 'Konferenz', count: 3, numbered: true }))).toEqual([
    '2026-11-14_Konferenz 1/3',
    '2026-11-14_Konferenz 2/3',
    '2026-11-14_Konferenz 3/3',
  ]);
  expect(namesOf(await placed(api.admin, { siteId, name: '', count: 2, numbered: true }))).toEqual([
    '2026-11-14_#1/2',
    '2026-11-14_#2/2',
  ]);
  expect(namesOf(await placed(api.admin, { siteId, name: 'Allein', count: 1, numbered: true }))).toEqual([
    '2026-11-14_Allein',
  ]);
});

test('a list that can not be made is refused, and nothing is ordered', async () => {
  const siteId = await api.addSite();
  const many = (count: number) => Array.from({ length: count }, (_, index) => `Gast ${String(index)}`);
  for (const [order, message] of [
    [{ count: 2, names: ['Anna'] }, 'names-invalid'],
    [{ count: 1, names: ['Anna', 'Ben'] }, 'names-invalid'],
    [{ count: 1, names: [] }, 'names-invalid'],
    [{ count: 1, names: [''] }, 'names-invalid'],
    [{ count: 1, names: ['   '] }, 'name-invalid'],
    [{ count: 1, names: ['x'.repeat(256)] }, 'names-invalid'],
    [{ count: 1, names: ['Anna\nBen'] }, 'name-invalid'],
    [{ count: 1, names: ['\u202Eanna'] }, 'name-invalid'],
    [{ count: 1, names: 'Anna' }, 'names-invalid'],
    [{ count: 500, names: many(501) }, 'names-invalid'],
    [{ count: 2, names: ['Anna', 'Ben'], numbered: true }, 'names-invalid'],
  ] as const)
    expect({ order, ...(await place(api.admin, randomUUID(), { siteId, ...order })) }).toMatchObject({
      status: 400,
      body: { message },
    });
  const huge = { siteId, count: 1, names: ['x'.repeat(600_000)] };
  expect((await place(api.admin, randomUUID(), huge)).status).toBe(413);
  expect(await rowsOf(api, 'intents')).toEqual([]);
  expect(await rowsOf(api, 'orders')).toEqual([]);
});

test('vouchers of one order that are found stand by their numbers, and lists by name stay sorted by name', async () => {
  const siteId = await api.addSite();
  const found = async (query: string): Promise<string[]> =>
    ((await api.admin.get(`/vouchers?siteId=${String(siteId)}&${query}`)).body as Order).vouchers.map(
      ({ name }) => name.slice('2026-11-14_'.length),
    );
  await placed(api.admin, { siteId, name: 'Tagung', count: 12, numbered: true });
  const numbers = Array.from({ length: 12 }, (_, index) => `Tagung ${String(index + 1)}/12`);
  for (const query of ['text=tagung', 'text=tagung&rows=orders', 'state=valid', 'text=tagung&sort=oldest'])
    expect(await found(query)).toEqual(numbers);
  expect(await found('text=tagung&sort=name')).toEqual(numbers);
  expect(await found('text=tagung&sort=-name')).toEqual(numbers.toReversed());

  const names = ['Zoë', 'Anna', 'Mia', 'Ben'];
  await placed(api.admin, { siteId, name: 'Seminar', count: 4, names });
  expect(await found('text=seminar')).toEqual(names);
  expect(await found('text=seminar&sort=name')).toEqual(['Anna', 'Ben', 'Mia', 'Zoë']);
  const file = (await api.admin.get(`/vouchers.csv?language=en&siteId=${String(siteId)}`)).text;
  expect(
    file
      .split('\r\n')
      .slice(1, 7)
      .map((line) => line.split('","')[1]),
  ).toEqual([...names, ...numbers.slice(0, 2)]);
});
