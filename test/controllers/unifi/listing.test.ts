import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Controller } from '../../../src/controllers/controller.js';
import { makeUnifi } from '../../../src/controllers/unifi/unifi.js';
import { collectVouchers } from '../../conformance/controller.js';
import { startTestConsole, type TestConsole } from '../../support/unifiConsole.js';
import { errorOf } from '../https/target.js';
import { siteId, someVoucher, startScripted } from './scriptedConsole.js';

let own: TestConsole;
let controller: Controller;
const open = async (maxPage: number): Promise<void> => {
  own = await startTestConsole({ maxPage });
  controller = makeUnifi({ ...own.local, ...own.surroundings });
};
const pages = (): number => own.console.counts.byRoute['GET vouchers'] ?? 0;
beforeEach(() => open(1000));
afterEach(async () => {
  await controller.close();
  await own.console.stop();
});
const reopen = async (maxPage: number): Promise<void> => {
  await controller.close();
  await own.console.stop();
  await open(maxPage);
};

test('a list is read in pages of 1000', async () => {
  own.console.seed(2500);
  expect(await collectVouchers(controller)).toHaveLength(2500);
  expect(pages()).toBe(3);
});

test('a list that ends with a full page is not asked for more', async () => {
  own.console.seed(1000);
  expect(await collectVouchers(controller)).toHaveLength(1000);
  expect(pages()).toBe(1);
});

test('pages that are shorter than was asked for are no end', async () => {
  await reopen(30);
  own.console.seed(100);
  expect(await collectVouchers(controller)).toHaveLength(100);
  expect(pages()).toBe(4);
});

test('what is deleted while the list is read hides no other voucher', async () => {
  await reopen(10);
  own.console.seed(45);
  const codes = own.console.vouchers().map(({ code }) => code);
  const listed: unknown[] = [];
  for await (const { code } of controller.list(null)) {
    listed.push(code);
    // Those of the first page: the rest moves up.
    if (listed.length === 10) for (const gone of codes.slice(0, 5)) own.console.remove(gone);
  }
  expect(listed).toEqual(expect.arrayContaining(codes));
  expect(listed).toHaveLength(codes.length);
});

test('a list that is emptied while it is read ends', async () => {
  await reopen(10);
  own.console.seed(25);
  const codes = own.console.vouchers().map(({ code }) => code);
  let read = 0;
  for await (const _ of controller.list(null)) {
    read += 1;
    if (read === 10) for (const gone of codes) own.console.remove(gone);
  }
  expect(read).toBe(10);
});

test('a page is asked for once more when the connection breaks', async () => {
  own.console.seed(1);
  await collectVouchers(controller);
  own.console.fault({ kind: 'reset-before', on: 'all', times: 1 });
  expect(await collectVouchers(controller)).toHaveLength(1);
});

test('a list whose reader has no time any more ends', async () => {
  await reopen(10);
  own.console.seed(30);
  const abort = new AbortController();
  const reading = (async () => {
    for await (const _ of controller.list(null, abort.signal)) abort.abort();
  })();
  expect(await errorOf(reading)).toMatchObject({ code: 'deadline' });
  expect(pages()).toBe(1);
});

test('how many there are costs one voucher, however many there are', async () => {
  let path: string | undefined;
  const scripted = await startScripted((request) => {
    path = request.path;
    return { body: { offset: 0, limit: 1, count: 1, totalCount: 50_000, data: [someVoucher] } };
  });
  expect(await scripted.controller.incremental!.count(siteId)).toBe(50_000);
  expect(new URL(path!, 'https://x').searchParams.get('limit')).toBe('1');
  await scripted.stop();
});

test('what has changed is asked for by its expiry, with room for a clock that is wrong', async () => {
  let path: string | undefined;
  const scripted = await startScripted((request) => {
    path = request.path;
    return { body: { totalCount: 0, data: [] } };
  });
  const since = Date.parse('2026-11-14T09:30:00.789Z');
  for await (const _ of scripted.controller.incremental!.changed(siteId, since));
  const { searchParams } = new URL(path!, 'https://x');
  expect(searchParams.get('filter')).toBe('expiresAt.ge(2026-11-13T09:30:00Z)');
  await scripted.stop();
});
