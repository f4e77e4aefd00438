import { describe, expect, test } from '@jest/globals';
import { startOmadaController, type OmadaController } from '../../../simulators/omada/controller.js';
import type { FaultKind } from '../../../simulators/unifi/faults.js';
import type { Controller } from '../../../src/controllers/controller.js';
import { makeOmada, type OmadaOptions } from '../../../src/controllers/omada/omada.js';
import { collectVouchers, someOrder } from '../../conformance/controller.js';
import { testCases } from '../../support/cases.js';
import { sharedCertificate } from '../../support/certificate.js';
import { someControllerDeps } from '../../support/controllerDeps.js';
import { endsAfterEach } from '../../support/fixture.js';
import { inspectAll, outcomesOf } from '../../support/inspectAll.js';
import { expectErrorsOfOurs, expectNone, faults, long, makeLog, words } from '../https/hostile.js';
import { startTarget, type Answer } from '../https/target.js';

const ends = endsAfterEach();

const credentials = { clientId: 'a-client', clientSecret: 'Ein langes Geheimnis & "mehr"' };
const token = 'AT-4e1uAFb0Rq';

const connect = (
  { url, fingerprint }: { readonly url: string; readonly fingerprint: string },
  options: Partial<OmadaOptions> = {},
): Controller => {
  const controller = makeOmada({
    ...someControllerDeps({ deadlineMs: 60_000 }),
    name: 'Zentrale',
    settings: { url, fingerprint },
    credentials,
    ...options,
  });
  ends.push(() => controller.close());
  return controller;
};

/** A controller that gives a token, and answers everything else as it is told. */
const scripted = async (answer: Answer): Promise<Controller> => {
  const target = await startTarget(
    (response, request) => {
      const path = request.path ?? '';
      if (path === '/api/info')
        response.end(JSON.stringify({ errorCode: 0, result: { omadacId: 'abc', controllerVer: '6.1' } }));
      else if (path.startsWith('/openapi/authorize/token'))
        response.end(JSON.stringify({ errorCode: 0, result: { accessToken: token } }));
      else answer(response, request);
    },
    { certificate: await sharedCertificate() },
  );
  ends.push(() => target.stop());
  return connect(target);
};

/** Does everything, and returns what comes of it. */
const useAll = (controller: Controller): Promise<unknown[]> =>
  outcomesOf([
    () => controller.create(someOrder({ controllerSite: 'a' }), 1),
    () => controller.find!(someOrder({ controllerSite: 'a' }), 1),
    () => collectVouchers(controller, 'a'),
    () => controller.revoke('a', 'b'),
    () => controller.incremental!.count('a'),
    () => controller.probe(),
  ]);

describe('an answer that no controller should give is an error of ours', () => {
  testCases<[string, unknown]>([
    ['nothing', ''],
    ['a page', '<html><body>Bitte anmelden</body></html>'],
    ['a text', '"ok"'],
    ['a list', []],
    ['null as the result', { errorCode: 0, result: null }],
    ['a list that is none', { errorCode: 0, result: { totalRows: 1, data: 'x' } }],
    ['a list without a number', { errorCode: 0, result: { data: [] } }],
    ['items that are none', { errorCode: 0, result: { totalRows: 3, data: [null, 1, []] } }],
    ['a list that is shorter than it says', { errorCode: 0, result: { totalRows: 9, data: [] } }],
    ['a code that is a text', { errorCode: 'nein', msg: 'nein' }],
    ['a code that is not documented', { errorCode: -99_999, msg: 'nein' }],
    ['a message of 64 KiB', { errorCode: -1005, msg: long }],
    ['a message of 40 words', { errorCode: -1001, msg: words }],
    ['a message that is none', { errorCode: -1001, msg: { a: long } }],
  ])('is an error of ours', async (_, body) => {
    const controller = await scripted((response) =>
      response.end(typeof body === 'string' ? body : JSON.stringify(body)),
    );
    expectErrorsOfOurs(await useAll(controller));
  });

  test('after which the outcome of an order is unknown, unless the answer says that nothing was done', async () => {
    let body: unknown;
    const controller = await scripted((response) => response.end(JSON.stringify(body)));
    const create = () => controller.create(someOrder({ controllerSite: 'a' }), 1);
    for (body of [{}, { errorCode: -99_999 }, { errorCode: 'x' }])
      await expect(create()).rejects.toMatchObject({ name: 'OutcomeUnknown' });
    for (body of [{ errorCode: -1001 }, { errorCode: -42_010 }, { errorCode: -33_000 }])
      await expect(create()).rejects.toMatchObject({ name: 'ControllerError' });
  });

  test('an id that leads elsewhere is no id', async () => {
    const target = await startTarget(
      (response) =>
        response.end(
          JSON.stringify({ errorCode: 0, result: { omadacId: '../../elsewhere', accessToken: token } }),
        ),
      { certificate: await sharedCertificate() },
    );
    ends.push(() => target.stop());
    await expect(connect(target).probe()).rejects.toMatchObject({
      name: 'ControllerError',
      code: 'unreadable',
    });
    expect(target.requests.map(({ path }) => path)).toEqual(['/api/info']);
  });

  testCases([[{}], [{ siteId: '' }], [{ siteId: 7 }], [{ siteId: 'x'.repeat(256) }]])(
    'a site without a usable id is none',
    async (id) => {
      const paths = new Set<string>();
      const controller = await scripted((response, { path = '' }) => {
        paths.add(path.replace(/\?.*$/, ''));
        const result = { totalRows: 1, data: [{ name: 'Default', ...id }] };
        response.end(JSON.stringify({ errorCode: 0, result }));
      });
      for (const work of [() => controller.probe(), () => controller.create(someOrder(), 1)])
        await expect(work()).rejects.toMatchObject({ name: 'ControllerError', code: 'unreadable' });
      expect([...paths]).toEqual(['/openapi/v1/abc/sites']);
    },
  );

  test('values of other types in groups and vouchers do no harm', async () => {
    const group = {
      id: 'g',
      name: long,
      createdTime: 'x',
      totalCount: '1',
      unusedCount: null,
      rateLimit: [],
      limitType: {},
    };
    const voucher = { id: 'v', code: 123, status: 'used', timeLeftSec: -1, used: [] };
    const controller = await scripted((response, { path = '' }) => {
      const data = path.includes('/voucher-groups/g') ? [voucher] : [group];
      response.end(JSON.stringify({ errorCode: 0, result: { totalRows: 1, data } }));
    });
    expect(await collectVouchers(controller, 'a')).toEqual([
      {
        id: 'v',
        code: '0000000123',
        name: long,
        createdAt: null,
        maxUses: 0,
        expireMinutes: 0,
        down: 0,
        up: 0,
        quotaMb: 0,
        usedCount: 0,
        expiresAt: null,
        expired: false,
      },
    ]);
  });
});

testCases<[string, unknown]>([
  ['64 KiB', long],
  ['an object', { a: 1 }],
  ['a list', ['1234567890']],
  ['a number with a fraction', 1.5],
  ['a line break', '12345\n67890'],
])('a code that is no text of ours is none, so the voucher is not usable', async (_, code) => {
  const controller = await scripted((response, { path = '' }) => {
    const data = path.includes('/voucher-groups/g')
      ? [{ id: 'v', code, status: 0 }]
      : [{ id: 'g', name: 'x', totalCount: 1 }];
    response.end(JSON.stringify({ errorCode: 0, result: { totalRows: 1, data } }));
  });
  const [voucher] = await collectVouchers(controller, 'a');
  expect(voucher).toMatchObject({ id: 'v', code: undefined });
});

testCases<[string, (page: number) => unknown[], number]>([
  ['the same page again and again', () => [{ id: 'g', name: 'x' }], 10],
  ['one more item on each page', (page) => [{ id: `g${String(page)}`, name: 'x' }], 500],
  ['nothing any more', (page) => (page < 3 ? [{ id: `g${String(page)}`, name: 'x' }] : []), 3],
])('a list that is never complete ends', async (_, itemsOf, calls) => {
  let asked = 0;
  const controller = await scripted((response, { path = '' }) => {
    asked += 1;
    const page = Number(/[?&]page=(\d+)/.exec(path)?.[1]);
    response.end(JSON.stringify({ errorCode: 0, result: { totalRows: 1_000_000_000, data: itemsOf(page) } }));
  });
  await expect(collectVouchers(controller, 'a')).rejects.toMatchObject({
    name: 'ControllerError',
    code: 'unreadable',
  });
  expect(asked).toBe(calls);
});

test('nobody knows what became of an order that is given up while the controller is silent', async () => {
  const order = new AbortController();
  const controller = await scripted(() => order.abort());
  await expect(controller.create(someOrder({ controllerSite: 'a' }), 1, order.signal)).rejects.toMatchObject({
    name: 'OutcomeUnknown',
    code: 'timeout',
  });
});

describe('neither secret nor token gets out', () => {
  const startLogged = async (options: Parameters<typeof startOmadaController>[0] = {}) => {
    const omada: OmadaController = await startOmadaController({
      certificate: await sharedCertificate(),
      ...credentials,
      ...options,
    });
    ends.push(() => omada.stop());
    const { lines, log } = makeLog();
    return { omada, lines, controller: connect(omada, { log }) };
  };

  testCases<[string, Parameters<typeof startOmadaController>[0], FaultKind | undefined]>([
    ['all is well', {}, undefined],
    ['the application may only view', { readOnly: true }, undefined],
    ['tokens end at once', { tokenTtlMs: 0 }, undefined],
    ['the application has another mode', { codeMode: true }, undefined],
    ['everything is redirected', { redirect: 'https://elsewhere.example/' }, undefined],
    ...faults.map((kind): [string, object, FaultKind] => [kind, {}, kind]),
  ])('whatever goes wrong', async (_, options, kind) => {
    const { omada, lines, controller } = await startLogged(options);
    await controller.probe().catch(() => undefined);
    if (kind) omada.fault({ kind, on: 'all' });
    const outcomes = await useAll(controller);
    expectNone([credentials.clientSecret, ...omada.tokens], [...outcomes, ...lines, controller]);
  });

  test('not even when the controller repeats them in a message', async () => {
    const msg = `not for ${credentials.clientSecret} and ${token}`;
    const controller = await scripted((response) => response.end(JSON.stringify({ errorCode: -1005, msg })));
    const said = (await useAll(controller)).map(inspectAll).join('\n');
    expect(said).toContain('not for');
    expect(said).not.toContain(credentials.clientSecret);
    expect(said).not.toContain(token);
  });
});
