import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ControllerError } from '../../../src/controllers/errors.js';
import { describeInGerman } from '../../../src/controllers/failureMessages.js';
import { collectVouchers } from '../../conformance/controller.js';
import { errorOf } from '../https/target.js';
import {
  apiKey,
  direct,
  siteId,
  someVoucher,
  startScripted,
  type Line,
  type Scripted,
} from './scriptedConsole.js';
import { testCases } from '../../support/cases.js';

let scripted: Scripted;
const started: Scripted[] = [];
const answering = async (line: Line): Promise<Scripted> => {
  scripted = await startScripted(() => line);
  started.push(scripted);
  return scripted;
};
afterEach(async () => {
  for (const { stop } of started.splice(0)) await stop();
});

const order = async (line: Line): Promise<unknown> =>
  errorOf((await answering(line)).controller.create(direct, 1));

describe('an order is answered with', () => {
  test('a code that is a number: it may have begun with zeros', async () => {
    const body = { vouchers: [{ ...someVoucher, code: 123456789 }] };
    const { controller } = await answering({ status: 201, body });
    expect(await controller.create(direct, 1)).toEqual([
      {
        id: someVoucher.id,
        code: '0123456789',
        name: direct.name,
        maxUses: 0,
        expireMinutes: 480,
        down: 0,
        up: 0,
        quotaMb: 0,
        usedCount: 0,
        createdAt: Date.parse(someVoucher.createdAt),
        expiresAt: null,
        expired: false,
      },
    ]);
  });

  testCases<[what: string, body: unknown]>([
    ['an empty list', { vouchers: [] }],
    ['null instead of the list', { vouchers: null }],
    ['JSON of another shape', { data: [someVoucher] }],
    ['a list', [someVoucher]],
  ])('an answer that shows no voucher has none', async (_, body) => {
    const { controller } = await answering({ status: 201, body });
    expect(await controller.create(direct, 1)).toEqual([]);
  });

  testCases<[what: string, voucher: unknown, id: string | null]>([
    ['null', null, null],
    ['something else', 'voucher', null],
    ['without a code', { ...someVoucher, code: undefined }, someVoucher.id],
    ['with null as its code', { ...someVoucher, code: null }, someVoucher.id],
    ['with an empty code', { ...someVoucher, code: '' }, someVoucher.id],
  ])('a voucher without a usable code has no code', async (_, voucher, id) => {
    const { controller } = await answering({ status: 201, body: { vouchers: [voucher] } });
    expect(await controller.create(direct, 1)).toMatchObject([{ id, code: undefined }]);
  });

  test('a voucher without an id: it is one all the same', async () => {
    const { controller } = await answering({
      status: 201,
      body: { vouchers: [{ ...someVoucher, id: undefined }] },
    });
    expect(await controller.create(direct, 1)).toMatchObject([{ id: null, code: someVoucher.code }]);
  });

  testCases<[what: string, line: Line]>([
    ['nothing', { status: 201 }],
    ['a page', { status: 200, body: '<!doctype html><title>UniFi</title>' }],
    ['a failure', { status: 500, body: { statusCode: 500, message: 'oops' } }],
    ['a page of a proxy', { status: 503, body: '<html>' }],
    ['a timeout of a proxy', { status: 408 }],
    ['a failure that looks well', { status: 200, body: { error: { code: 502, message: 'Bad Gateway' } } }],
  ])('after an answer that says neither yes nor no the outcome is unknown', async (_, line) => {
    expect(await order(line)).toMatchObject({ name: 'OutcomeUnknown' });
    expect(scripted.asked()).toHaveLength(1);
  });

  testCases<[code: string, line: Line, says: string]>([
    [
      'credentials',
      { status: 401, body: { error: { code: 401, message: 'Unauthorized' } } },
      'API-Schlüssel',
    ],
    [
      'credentials',
      { status: 200, body: { error: { code: 401, message: 'Unauthorized' } } },
      'API-Schlüssel',
    ],
    ['credentials', { status: 401, body: '<html>' }, 'API-Schlüssel'],
    [
      'permission',
      { status: 403, body: { statusCode: 403, message: 'Access is denied' } },
      'Access is denied',
    ],
    [
      'refused',
      { status: 400, body: { statusCode: 400, message: 'count must be less' } },
      'count must be less',
    ],
    ['refused', { status: 422, body: 'no' }, 'Status 422'],
    ['unreadable', { status: 302, headers: { location: 'https://elsewhere.test/' } }, 'andere Adresse'],
    ['site', { status: 404, body: { statusCode: 404, message: 'Site not found' } }, 'Standort'],
    [
      'site',
      {
        status: 400,
        body: { message: `'x' is not a valid 'siteId' value`, code: 'api.request.argument-type-mismatch' },
      },
      'Standort',
    ],
    ['throttled', { status: 429, headers: { 'retry-after': '3600' } }, '3600 s'],
  ])('a refusal is told by its status and its words', async (code, line, says) => {
    const error = await order(line);
    expect(error).toMatchObject({ name: 'ControllerError', code });
    expect(describeInGerman(error as ControllerError)).toContain(says);
    expect(describeInGerman(error as ControllerError)).toContain('„Zentrale“');
  });
});

test('a throttle that is over in time is waited for', async () => {
  let asked = 0;
  scripted = await startScripted(() =>
    (asked += 1) === 1
      ? { status: 429, headers: { 'retry-after': '0' } }
      : { status: 201, body: { vouchers: [someVoucher] } },
  );
  started.push(scripted);
  expect(await scripted.controller.create(direct, 1)).toHaveLength(1);
  expect(asked).toBe(2);
});

test('a throttle that is not over in time is not waited for', async () => {
  expect(await order({ status: 429, headers: { 'retry-after': '60' } })).toMatchObject({
    code: 'throttled',
  });
  expect(scripted.asked()).toHaveLength(1);
});

test('what the controller says is shortened, and shows no key', async () => {
  const message = `the key ${apiKey} is\n\u0000 wrong, Cookie: TOKEN=abc; ${'x'.repeat(5000)}`;
  const error = await order({ status: 400, body: { statusCode: 400, message } });
  for (const text of [(error as Error).message, describeInGerman(error as ControllerError)]) {
    expect(text.length).toBeLessThan(400);
    expect(text).not.toMatch(/[\n\0]/);
  }
  expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(new RegExp(`${apiKey}|TOKEN=abc`));
});

test('no error shows the key, whatever goes wrong', async () => {
  const errors: unknown[] = [];
  for (const line of [
    { status: 401 },
    { status: 500 },
    { status: 400, body: apiKey },
    { body: `{ ${apiKey}` },
  ]) {
    errors.push(await order(line));
    errors.push(await errorOf(collectVouchers(scripted.controller, siteId)));
    errors.push(await errorOf(scripted.controller.probe()));
    await scripted.stop();
    errors.push(await errorOf(scripted.controller.probe()));
  }
  await answering({});
  expect(inspect(errors, { depth: 20, showHidden: true, maxStringLength: null })).not.toContain(apiKey);
});

describe('a voucher is revoked when the answer is', () => {
  testCases<[what: string, line: Line]>([
    ['that one was deleted', { body: { vouchersDeleted: 1 } }],
    ['that none was deleted', { body: { vouchersDeleted: 0 } }],
    ['empty', { status: 200 }],
    ['empty, with a status for that', { status: 204 }],
    ['that there is none', { status: 404, body: { statusCode: 404, message: 'not found' } }],
  ])('no answer of any size or shape does harm', async (_, line) => {
    const { controller, asked } = await answering(line);
    await controller.revoke(siteId, someVoucher.id);
    expect(asked()).toContain(`DELETE /sites/${siteId}/hotspot/vouchers/${someVoucher.id}`);
  });

  test('nothing else than these', async () => {
    const { controller } = await answering({ status: 403 });
    expect(await errorOf(controller.revoke(siteId, someVoucher.id))).toMatchObject({ code: 'permission' });
  });
});

testCases<[what: string, line: Line]>([
  ['a page', { body: '<html>' }],
  ['JSON of another shape', { body: { vouchers: [] } }],
  ['a voucher without id and code', { body: { data: [{ name: 'x' }], totalCount: 1 } }],
  ['a failure', { status: 500 }],
])('a list of any other shape is unreadable', async (_, line) => {
  const { controller } = await answering(line);
  expect(await errorOf(collectVouchers(controller, siteId))).toMatchObject({
    name: 'ControllerError',
    code: 'unreadable',
  });
});
