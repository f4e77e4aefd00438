import { expect, test } from '@jest/globals';
import { conformance } from '../../tools/contract/src/conformance/conformance.js';
import { cookieFaults } from '../../tools/contract/src/conformance/cookies.js';
import { fileFaults, formulas } from '../scenarios/web/files.js';
import {
  findPlanted,
  spoil,
  withBody,
  withList,
  withStatus,
  withText,
  type PlantedDefect,
} from './throughDefect.js';
import { onlySuccesses, startWebService, webContract } from './webService.js';
import { forAllTests } from '../support/fixture.js';

const service = forAllTests(startWebService, 'close');

/** Each of them is seen by requests of its own. */
const planted: Readonly<Record<string, PlantedDefect>> = {
  'an id that is not found in capitals': {
    defect: spoil(({ requestTarget }) => /\/orders\/[0-9A-F-]{36}$/.test(requestTarget), withStatus(404)),
    found: {
      "getOrder 200 with one's own order, and the UUID in capitals": /^the status is 404 instead of 200/,
    },
  },
  'what is taken away, and listed all the same': {
    defect: spoil(
      ({ method, requestTarget }, { status }) =>
        method === 'GET' && requestTarget === '/web/order-limits' && status === 200,
      (answer) =>
        withList(answer, 'limits', (limits) =>
          limits.map((limit) => ({ ...limit, maxUses: limit['maxUses'] ?? 5 })),
        ),
    ),
    found: {
      'updateOrderLimit: what is taken away is listed so':
        /^maxUses is listed as 5, and was changed to null$/,
    },
  },
  'a cell that begins a formula': {
    defect: spoil(
      ({ requestTarget }) => requestTarget.startsWith('/web/vouchers.csv'),
      (answer) => withText(answer, `"'@`, '"@'),
    ),
    found: {
      'exportVouchers 200 of vouchers whose names look like formulas':
        /^a cell begins a formula: "@SUM\(1\)"$/,
    },
  },
  'something that is listed otherwise than it was created': {
    defect: spoil(
      ({ method, requestTarget }, { status }) =>
        method === 'GET' && requestTarget === '/web/keys' && status === 200,
      (answer) => withList(answer, 'keys', (keys) => keys.map((key) => ({ ...key, rateLimit: 77 }))),
    ),
    found: {
      'createKey: what was created is listed as it was created':
        /^rateLimit is listed as 77, and in the answer it is \d+/,
      'createKey: what was created with other values is listed as it was created':
        /^rateLimit is listed as 77, and in the answer it is 7; .* in the request it is 7$/,
    },
  },
  'a filter that has no effect': {
    defect: {
      request: (request) => ({ ...request, requestTarget: request.requestTarget.replace('state=valid', '') }),
    },
    found: {
      'listVouchers: the filter state=valid finds what has this value': /^it finds \d+, whose state is "/,
    },
  },
  'an entry that is left out between two pages': {
    defect: spoil(
      ({ requestTarget }, { status }) => requestTarget.includes('cursor=') && status === 200,
      (answer) =>
        withBody(answer, ({ vouchers, ...page }) => ({ ...page, vouchers: (vouchers as []).slice(1) })),
    ),
    found: { 'listVouchers: no item is left out between pages': /is on none of the pages$/ },
  },
};

test('conformance names each defect of the web UI, and nothing else', async () => {
  const part = onlySuccesses(
    ...['/keys', '/order-limits', '/order-limits/{limitId}', '/orders/{orderId}'],
    ...['/vouchers', '/vouchers.csv'],
  );
  const { found, expected } = await findPlanted(service, conformance, part, planted);
  expect(found).toEqual(
    Object.fromEntries(Object.entries(expected).map(([name, says]) => [name, expect.stringMatching(says)])),
  );
});

test('a file has a byte order mark, quoted cells, and no formulas', () => {
  expect(fileFaults({ text: `\ufeff"code";"name"\r\n"1";"'=SUM(1)"\r\n"2";"Zimmer ""12"""\r\n` })).toEqual(
    [],
  );
  expect(fileFaults({ text: '"code"\r\n' })).toEqual(['the file has no byte order mark']);
  expect(fileFaults({ text: '\ufeff"code"\r\n1\r\n' })).toEqual([
    'line 2 of the file is none of quoted cells',
  ]);
  for (const formula of formulas)
    expect(fileFaults({ text: `\ufeff"${formula}"\r\n` })).toEqual([
      `a cell begins a formula: ${JSON.stringify(formula)}`,
    ]);
});

test('a cookie of a session must be out of reach for scripts and other sites, and end with the session', () => {
  const faultsOf = (cookie: string): string[] =>
    cookieFaults(webContract, {
      status: 200,
      headers: { 'set-cookie': [cookie] },
      text: '',
      body: undefined,
    }).map(({ text }) => text);
  expect(faultsOf('session=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=60')).toEqual([]);
  expect(faultsOf('session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')).toEqual([]);
  expect(faultsOf('theme=dark')).toEqual([]);
  expect(faultsOf('session=x; SameSite=None')).toEqual([
    'the cookie session lacks HttpOnly',
    'the cookie session lacks SameSite=Lax or Strict',
  ]);
  expect(faultsOf('session=; HttpOnly; SameSite=Strict; Max-Age=60')).toEqual([
    'the empty cookie session lacks Max-Age=0',
  ]);
});
