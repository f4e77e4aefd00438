import { describe, expect, test } from '@jest/globals';
import { startMikrotikRouter, type MikrotikRouter } from '../../../simulators/mikrotik/router.js';
import type { SimulatedMikrotikOptions } from '../../../simulators/mikrotik/settings.js';
import type { FaultKind } from '../../../simulators/unifi/faults.js';
import type { Controller } from '../../../src/controllers/controller.js';
import { formatVoucherLabel, parseVoucherLabel } from '../../../src/controllers/mikrotik/label.js';
import { makeMikrotik, type MikrotikOptions } from '../../../src/controllers/mikrotik/mikrotik.js';
import { collectVouchers, orderFor } from '../../conformance/controller.js';
import { testCases } from '../../support/cases.js';
import { sharedCertificate } from '../../support/certificate.js';
import { someControllerDeps } from '../../support/controllerDeps.js';
import { endsAfterEach } from '../../support/fixture.js';
import { inspectAll, outcomesOf } from '../../support/inspectAll.js';
import { expectErrorsOfOurs, expectNone, faults, long, makeLog, words } from '../https/hostile.js';
import { startTarget, type Answer, type Arrived } from '../https/target.js';

const ends = endsAfterEach();

const credentials = { username: 'voucherd', password: 'Ein langes Geheimnis & "mehr"' };
const basic = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');

const connect = (
  { url, fingerprint }: { readonly url: string; readonly fingerprint: string },
  options: Partial<MikrotikOptions> = {},
): Controller => {
  const controller = makeMikrotik({
    ...someControllerDeps({ deadlineMs: 60_000 }),
    name: 'Zentrale',
    settings: { url, fingerprint },
    credentials,
    ...options,
  });
  ends.push(() => controller.close());
  return controller;
};

/** A router that answers as it is told. */
const scripted = async (answer: Answer): Promise<Controller> => {
  const target = await startTarget(answer, { certificate: await sharedCertificate() });
  ends.push(() => target.stop());
  return connect(target);
};

/** Does everything, and returns what comes of it. */
const useAll = (controller: Controller): Promise<unknown[]> =>
  outcomesOf([
    () => controller.create(orderFor(controller), 1),
    () => controller.create(orderFor(controller, { controllerSite: 'haus' }), 1),
    () => controller.find!(orderFor(controller), 1),
    () => collectVouchers(controller),
    () => controller.revoke(null, '1234567890'),
    () => controller.disconnect!(null, '1234567890'),
    () => controller.probe(),
  ]);

describe('an answer that no router should give is an error of ours', () => {
  testCases<[string, number, unknown]>([
    ['nothing', 200, ''],
    ['a page', 200, '<html><body>Webfig</body></html>'],
    ['a text', 200, '"ok"'],
    ['null', 200, 'null'],
    ['a number', 200, '7'],
    ['an object instead of a list', 200, { ret: '*1' }],
    ['items that are none', 200, [null, 1, [], 'x']],
    ['items of other types', 200, [{ name: 7, comment: {}, '.id': [], uptime: 1, 'end-time': {} }]],
    ['values of 64 KiB', 200, [{ name: long, comment: long, '.id': long, uptime: long }]],
    ['a message of 64 KiB', 400, { error: 400, message: 'Bad Request', detail: long }],
    ['a message of 40 words', 400, { error: 400, message: 'Bad Request', detail: words }],
    ['a message that is none', 400, { error: 'x', message: {}, detail: [long] }],
    ['no REST API', 404, '<html><body>Not found</body></html>'],
    ['a redirect', 302, ''],
    ['an error of the router', 500, { error: 500, message: 'Internal Server Error' }],
  ])('is an error of ours', async (_, status, body) => {
    const controller = await scripted((response) => {
      response.statusCode = status;
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    expectErrorsOfOurs(await useAll(controller), 'CodesTaken');
  });

  test('headers that are doubled do no harm', async () => {
    const controller = await scripted((response) => {
      response.setHeader('content-type', ['application/json', 'text/html']);
      response.setHeader('date', ['never', 'now']);
      response.setHeader('www-authenticate', ['Basic', 'Basic']);
      response.end('[]');
    });
    expectErrorsOfOurs(await useAll(controller), 'CodesTaken');
    expect(await collectVouchers(controller)).toEqual([]);
  });
});

/** A router of which nothing is known but that it has no vouchers, and that answers to the one that is added. */
const answersAdding = async (add: Answer): Promise<Controller> =>
  scripted((response, request) => {
    const isUser = request.method === 'PUT' && request.path === '/rest/ip/hotspot/user';
    if (request.path === '/rest/user-manager') response.statusCode = 404;
    if (isUser) add(response, request);
    else response.end(request.method === 'PUT' ? '{}' : '[]');
  });

/** A router that answers each GET of a menu with these items, whatever it was asked by, and everything else as it is told. */
const showing = async (
  menus: Readonly<Record<string, unknown>>,
  change: Answer = (response) => response.end('{}'),
) => {
  const target = await startTarget(
    (response, request) => {
      const menu = request.path?.replace(/^\/rest|\?.*$/g, '') ?? '';
      if (request.method !== 'GET') change(response, request);
      else if (menu === '/user-manager' && !menus[menu]) response.writeHead(404).end('{}');
      else response.end(JSON.stringify(menus[menu] ?? []));
    },
    { certificate: await sharedCertificate() },
  );
  ends.push(() => target.stop());
  const changes = (): readonly Arrived[] => target.requests.filter(({ method }) => method !== 'GET');
  return { controller: connect(target), changes };
};

const hourMs = 3_600_000;
const madeAt = Math.floor(Date.now() / 1000) * 1000 - hourMs;
const comment = formatVoucherLabel({
  ...{ reference: 'a', name: 'Berger', site: null, createdAt: madeAt },
  ...{ maxUses: 1, expireMinutes: 480, down: 0, up: 0, quotaMb: 0 },
});
const [code, otherCode] = ['1234567890', '2345678901'];
const users = [
  { '.id': '*1', name: code, comment, uptime: '0s' },
  { '.id': '*2', name: otherCode, comment, uptime: '0s' },
];

describe('a router that answers amiss', () => {
  test('and shows others than it was asked for loses no other', async () => {
    const sessions = [
      { '.id': '*3', user: otherCode },
      { '.id': '*4', user: code },
    ];
    const { controller, changes } = await showing({
      '/ip/hotspot/user': users,
      '/ip/hotspot/active': sessions,
    });
    await controller.revoke(null, code);
    await controller.disconnect!(null, code);
    expect(changes().map(({ method, path }) => [method, path])).toEqual([
      ['DELETE', '/rest/ip/hotspot/user/*1'],
      ['DELETE', '/rest/ip/hotspot/active/*4'],
    ]);
  });

  testCases([[{}], [{ '.id': 7 }], [{ '.id': '' }]])(
    'and shows a user without a usable id has not removed it',
    async (id) => {
      const { controller, changes } = await showing({ '/ip/hotspot/user': [{ name: code, comment, ...id }] });
      await expect(controller.revoke(null, code)).rejects.toMatchObject({
        name: 'ControllerError',
        code: 'unreadable',
      });
      expect(changes()).toEqual([]);
    },
  );

  test('is asked for nobody without a name', async () => {
    const { controller, changes } = await showing({ '/ip/hotspot/active': [{ '.id': '*3', user: '' }] });
    for (const work of [controller.revoke, controller.disconnect!])
      await expect(work(null, '')).rejects.toMatchObject({ name: 'ControllerError' });
    expect(changes()).toEqual([]);
  });

  test('and has lost a user before its first use was noted shows the others', async () => {
    const used = users.map((user) => ({ ...user, uptime: '5m' }));
    const { controller, changes } = await showing({ '/ip/hotspot/user': used }, (response) =>
      response.writeHead(404).end('{"error":404,"message":"Not Found"}'),
    );
    expect(await collectVouchers(controller)).toHaveLength(2);
    expect(changes().map(({ method }) => method)).toEqual(['PATCH', 'PATCH']);
  });

  testCases([
    ['200 years', '9999w'],
    ['more weeks than there are numbers', `${'9'.repeat(400)}w`],
  ])(
    'and says that a guest was there for ages has not ended the voucher: it begins when it was made, at the earliest',
    async (_, uptime) => {
      const { controller, changes } = await showing({ '/ip/hotspot/user': [{ ...users[0], uptime }] });
      expect(await collectVouchers(controller)).toMatchObject([
        { usedCount: 1, expired: false, expiresAt: madeAt + 8 * hourMs },
      ]);
      const [noted] = changes().map(({ body }) => (JSON.parse(body) as { comment: string }).comment);
      expect(parseVoucherLabel(noted)).toMatchObject({ firstUse: { at: madeAt, devices: 1 } });
    },
  );

  test('and is signed in to while it is read shows no use without its end', async () => {
    let isSignedIn = false;
    const answers: Readonly<Record<string, () => unknown>> = {
      '/user-manager': () => ({ enabled: 'true', 'use-profiles': 'true' }),
      '/user-manager/user': () => users.slice(0, 1),
      '/user-manager/session': () => (isSignedIn ? [{ user: code, 'calling-station-id': 'AA' }] : []),
      '/user-manager/user-profile': () => [
        { user: code, profile: 'p', ...(isSignedIn && { 'end-time': '2100-01-01 00:00:00' }) },
      ],
      '/system/clock': () => ({ date: '2026-11-14', time: '09:30:00' }),
    };
    const controller = await scripted((response, { path = '' }) => {
      const menu = path.replace(/^\/rest|\?.*$/g, '');
      response.end(JSON.stringify(answers[menu]?.() ?? []));
      isSignedIn ||= /session|user-profile/.test(menu);
    });
    const [voucher] = await collectVouchers(controller);
    expect(voucher).toMatchObject({ usedCount: 1, expiresAt: expect.any(Number) });
  });

  testCases([{}, { date: 'x', time: 7 }])(
    'and whose clock says nothing does not say when a voucher ends',
    async (clock) => {
      const { controller } = await showing({
        '/user-manager': { enabled: 'true', 'use-profiles': 'true' },
        '/user-manager/user': users,
        '/user-manager/user-profile': users.map(({ name }) => ({
          user: name,
          'end-time': '2020-01-01 00:00:00',
        })),
        '/system/clock': clock,
      });
      const unknown = { usedCount: 1, expired: false, expiresAt: null };
      expect(await collectVouchers(controller)).toMatchObject([unknown, unknown]);
    },
  );
});

describe('what became of an order is', () => {
  testCases<[string, number, string]>([
    ['a command that took more than a minute', 400, 'Session closed'],
    ['an error of the router', 500, 'interrupted'],
  ])('not known after an answer that says neither yes nor no', async (_, status, detail) => {
    const controller = await answersAdding((response) => {
      response.statusCode = status;
      response.end(JSON.stringify({ error: status, message: 'x', detail }));
    });
    await expect(controller.create(orderFor(controller), 1)).rejects.toMatchObject({
      name: 'OutcomeUnknown',
    });
  });

  test('not known when it is given up while the router is silent', async () => {
    const order = new AbortController();
    const controller = await answersAdding(() => order.abort());
    await expect(controller.create(orderFor(controller), 1, order.signal)).rejects.toMatchObject({
      name: 'OutcomeUnknown',
      code: 'timeout',
    });
  });

  test('known after a refusal, whose text is quoted', async () => {
    const controller = await answersAdding((response) => {
      response.statusCode = 400;
      response.end(JSON.stringify({ error: 400, message: 'Bad Request', detail: 'failure: no space left' }));
    });
    const error: unknown = await controller
      .create(orderFor(controller), 1)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ControllerError', code: 'refused' });
    expect(String(error)).toContain('no space left');
  });
});

describe('no secret gets out', () => {
  const startLogged = async (options: SimulatedMikrotikOptions = {}) => {
    const router: MikrotikRouter = await startMikrotikRouter({
      certificate: await sharedCertificate(),
      ...credentials,
      ...options,
    });
    ends.push(() => router.stop());
    const { lines, log } = makeLog();
    return { router, lines, controller: connect(router, { log }) };
  };

  testCases<[string, SimulatedMikrotikOptions, FaultKind | undefined]>([
    ['all is well', {}, undefined],
    ['it has User Manager', { userManager: 'on' }, undefined],
    ['the account may only view', { readOnly: true }, undefined],
    ['the account is another one', { username: 'other' }, undefined],
    ['everything is redirected', { redirect: 'https://elsewhere.example/' }, undefined],
    ...faults.map((kind): [string, object, FaultKind] => [kind, {}, kind]),
  ])('whatever goes wrong', async (_, options, kind) => {
    const { router, lines, controller } = await startLogged(options);
    await controller.probe().catch(() => undefined);
    if (kind) router.fault({ kind, on: 'all' });
    const outcomes = await useAll(controller);
    expectNone([credentials.password, basic], [...outcomes, ...lines, controller]);
  });

  test('not even when the router repeats it in a message', async () => {
    const detail = `not for ${credentials.password} and ${basic}`;
    const controller = await scripted((response) => {
      response.statusCode = 400;
      response.end(JSON.stringify({ error: 400, message: 'Bad Request', detail }));
    });
    const said = (await useAll(controller)).map(inspectAll).join('\n');
    expect(said).toContain('not for');
    expect(said).not.toContain(credentials.password);
    expect(said).not.toContain(basic);
  });
});
