import { describe, expect, test } from '@jest/globals';
import type { ControllerVoucher } from '../../../src/controllers/controller.js';
import { describeInGerman } from '../../../src/controllers/failureMessages.js';
import { collectVouchers, someOrder } from '../../conformance/controller.js';
import { testCases } from '../../support/cases.js';
import { until } from '../../support/until.js';
import { error, ok, type Script } from './scriptedConsole.js';
import { connectTo, consolesOfTest, refusalOf } from './testConsoles.js';

const { start, script, connect } = consolesOfTest();

const path = '/api/s/default/stat/voucher';
const row = (index: number): object => ({
  _id: `id-${index}`,
  code: String(index).padStart(10, '0'),
  create_time: 1_790_000_000,
  note: `2026-11-14_Gast ${index} „Zoë“ 🎉`,
  duration: 480,
  quota: 1,
  used: 0,
  status: 'VALID_ONE',
  status_expires: 0,
});

/** Sends text as it is, in pieces that are cut anywhere. */
const sending =
  (text: string, pieceBytes = 1000, isWhole = true): Script =>
  async (_, res) => {
    const bytes = Buffer.from(text);
    res.writeHead(200, { 'content-type': 'application/json' });
    for (let start = 0; start < bytes.length; start += pieceBytes)
      await new Promise((sent) => res.write(bytes.subarray(start, start + pieceBytes), sent));
    if (isWhole) res.end();
    else res.destroy();
    return undefined;
  };

const rows = (count: number): string =>
  Array.from({ length: count }, (_, index) => JSON.stringify(row(index))).join(',');

describe('a list', () => {
  test('of 10,000 vouchers is complete', async () => {
    const console = await start({ variant: 'self-hosted' });
    console.seed(10_000);
    const codes = new Set<string | undefined>();
    for await (const { code } of connect(console).list(null)) codes.add(code);
    expect(codes).toEqual(new Set(console.vouchers().map(({ code }) => code)));
    expect(console.counts.byRoute['GET stat/voucher']).toBe(1);
  });

  test('tells of its first voucher before the last byte is sent', async () => {
    let sendRest = (): void => undefined;
    const gotFirst = new Promise<void>((resolve) => {
      sendRest = resolve;
    });
    const console = await script({
      api: async (_, res) => {
        res.writeHead(200).write(`{"meta":{"rc":"ok"},"data":[${rows(1000)}`);
        await gotFirst;
        res.end(`,${JSON.stringify(row(1000))}]}`);
        return undefined;
      },
    });
    const listed: ControllerVoucher[] = [];
    for await (const voucher of connect(console).list(null)) {
      listed.push(voucher);
      sendRest();
    }
    expect(listed).toHaveLength(1001);
    expect(listed[1000]).toMatchObject({ id: 'id-1000', name: '2026-11-14_Gast 1000 „Zoë“ 🎉' });
  });

  test('is not read further than it is wanted', async () => {
    let closed = false;
    const console = await script({
      api: ({ path: asked }, res) => {
        if (asked !== path) return ok();
        res.once('close', () => {
          closed = true;
        });
        res.writeHead(200).write(`{"meta":{"rc":"ok"},"data":[${rows(10)}`);
        return undefined;
      },
    });
    const { url, fingerprint } = console;
    // Nobody else ends it.
    const deadlineMs = 3_600_000;
    const controller = connect(console, { settings: { url, fingerprint, maxCalls: 1 }, deadlineMs });
    for await (const voucher of controller.list(null)) {
      expect(voucher.id).toBe('id-0');
      break;
    }
    await until('the answer was given up', () => closed);
    // Its place is free again.
    await controller.revoke(null, 'a');
  });

  testCases([1, 7, 1000, 100_000])('may come in pieces of any size', async (pieceBytes) => {
    const api = sending(`\n{"meta":{"rc":"ok"},"data":[${rows(3)}]}\n `, pieceBytes);
    const listed = await collectVouchers(connect(await script({ api })));
    expect(listed.map(({ name }) => name)).toEqual(
      Array.from({ length: 3 }, (_, index) => `2026-11-14_Gast ${index} „Zoë“ 🎉`),
    );
  });

  testCases([
    ['before', `{"meta":{"rc":"ok"},"data":[${rows(3)}]}`],
    ['after', `{"data":[${rows(3)}],"meta":{"rc":"ok"}}`],
    [
      'between other things than',
      `{"x":{"data":[1]},"data":[${rows(3)}],"y":["data"],"meta":{"rc":"ok"},"z":1}`,
    ],
  ])('may say that all is well before or after its vouchers', async (_, text) => {
    expect(await collectVouchers(connect(await script({ api: sending(text) })))).toHaveLength(3);
  });

  testCases([
    ['{"meta":{"rc":"ok"},"data":[]}'],
    ['{"data":[],"meta":{"rc":"ok"}}'],
    [' {"data" : [ ] , "meta" : {"rc" : "ok", "count" : 0} } '],
  ])('may be empty', async (text) => {
    expect(await collectVouchers(connect(await script({ api: sending(text) })))).toEqual([]);
  });
});

describe('what is no list', () => {
  testCases([
    [
      'an answer that is cut off before its end',
      sending(`{"meta":{"rc":"ok"},"data":[${rows(50)}`, 1000, true),
    ],
    ['no meta', sending(`{"data":[${rows(5)}]}`)],
    ['no meta and no vouchers', sending('{"data":[]}')],
    ['no data', sending('{"meta":{"rc":"ok"}}')],
    ['data that are none', sending('{"meta":{"rc":"ok"},"data":null}')],
    ['data that are no list', sending('{"meta":{"rc":"ok"},"data":{"x":[]}}')],
    ['data elsewhere', sending('{"meta":{"rc":"ok"},"x":{"data":[]}}')],
    ['another shape', sending('{"status":"success","result":{"items":[]}}')],
    ['a list alone', sending('[]')],
    ['no JSON', sending('<html>starting')],
    ['no JSON after some vouchers', sending(`{"meta":{"rc":"ok"},"data":[${rows(5)},<html>`)],
    ['nothing', sending('')],
    ['status 502', (() => ({ status: 502, body: '<html>' })) satisfies Script],
    ['status 204', (() => ({ status: 204, body: '' })) satisfies Script],
  ])('is unreadable', async (_, api) => {
    const refusal = await refusalOf(collectVouchers(connect(await script({ api }))));
    expect(refusal).toMatchObject({ name: 'ControllerError', code: 'unreadable' });
    expect(describeInGerman(refusal)).toContain('„Halle 3“');
  });

  test('a connection that breaks off', async () => {
    const api = sending(`{"meta":{"rc":"ok"},"data":[${rows(50)}`, 1000, false);
    const refusal = await refusalOf(collectVouchers(connect(await script({ api }))));
    expect(refusal).toMatchObject({ name: 'ControllerError', code: 'disconnected' });
  });

  testCases([
    ['403', error(403, 'api.err.NoPermission'), 'permission'],
    ['200', error(200, 'api.err.NoPermission'), 'permission'],
    ['400', error(400, 'api.err.NoSiteContext'), 'site'],
    ['200, meta at the end', { body: '{"data":[],"meta":{"rc":"error","msg":"api.err.Other"}}' }, 'refused'],
    ['200 of UniFi OS', { body: { error: { code: 403, message: 'Forbidden' } } }, 'permission'],
    ['302', { status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' }, 'unreadable'],
  ])('an error with any status', async (_, said, code) => {
    const console = await script({ api: () => said });
    const refusal = await refusalOf(collectVouchers(connect(console), 'nord'));
    expect(refusal).toMatchObject({ name: 'ControllerError', code });
    expect(console.times('POST /api/login')).toBe(1);
  });

  test('vouchers that end with an error', async () => {
    const api = sending(`{"data":[${rows(5)}],"meta":{"rc":"error","msg":"api.err.Other"}}`);
    const refusal = await refusalOf(collectVouchers(connect(await script({ api }))));
    expect(refusal).toMatchObject({ name: 'ControllerError', code: 'refused' });
  });

  test('an error of any length', async () => {
    const api: Script = () => ({ status: 400, body: 'x'.repeat(5_000_000) });
    const refusal = await refusalOf(collectVouchers(connect(await script({ api }))));
    expect(refusal).toMatchObject({ failure: { kind: 'refused', reason: 'request', status: 400 } });
  });
});

describe('a list that is throttled', () => {
  test('waits and is repeated once', async () => {
    let throttles = 1;
    const console = await script({
      api: () =>
        throttles-- > 0 ? { status: 429, headers: { 'retry-after': '0' }, body: {} } : ok([row(1)]),
    });
    expect(await collectVouchers(connect(console))).toHaveLength(1);
    expect(console.times(`GET ${path}`)).toBe(2);
  });
});

describe('when the time is up', () => {
  test('no list is begun', async () => {
    const console = await script({});
    const controller = connectTo(console);
    const list = controller.list(null, AbortSignal.abort())[Symbol.asyncIterator]();
    expect(await refusalOf(list.next())).toMatchObject({ code: 'deadline' });
    await controller.close();
    expect(console.asked).toEqual([]);
  });

  test('a list ends', async () => {
    const console = await script({
      api: ({ path: asked }, res) => {
        if (asked !== path) return ok();
        res.writeHead(200).write(`{"meta":{"rc":"ok"},"data":[${rows(10)}`);
        return undefined;
      },
    });
    const abort = new AbortController();
    const list = connect(console).list(null, abort.signal)[Symbol.asyncIterator]();
    await list.next();
    abort.abort();
    const rest = async (): Promise<void> => {
      while (!(await list.next()).done);
    };
    expect(await refusalOf(rest())).toMatchObject({ name: 'ControllerError', code: 'timeout' });
  });
});

test('a list and orders do not wait for each other', async () => {
  const console = await start();
  console.seed(2000);
  const controller = connect(console);
  let orders = 0;
  for await (const { name } of controller.list(null)) {
    if (name !== 'Seeded' || orders > 0) continue;
    orders += (await controller.create(someOrder(), 1)).length;
  }
  expect(orders).toBe(1);
});
