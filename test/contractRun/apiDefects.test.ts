import { expect, test } from '@jest/globals';
import { conformance } from '../../tools/contract/src/conformance/conformance.js';
import { parseContractModel } from '../../tools/contract/src/contract.js';
import { generated } from '../../tools/contract/src/generated/generated.js';
import { security } from '../../tools/contract/src/security/security.js';
import { isExcuse } from '../../tools/contract/src/target/keys.js';
import type { ProxiedAnswer, ProxiedRequest } from '../support/faultInjectionProxy.js';
import { forAllTests } from '../support/fixture.js';
import { startLocalServiceInProcess } from './localServiceInProcess.js';
import { casesOf, contract, failuresOf, onlyOperations, onlyStatus } from './stageRun.js';
import {
  findPlanted,
  headerOf,
  runThrough,
  spoil,
  withBody,
  withHeader,
  withList,
  without,
  withStatus,
  withText,
  type Json,
  type PlantedDefect,
} from './throughDefect.js';

const service = forAllTests(startLocalServiceInProcess, 'close');

const isOrder = ({ method }: ProxiedRequest, { status }: ProxiedAnswer): boolean =>
  method === 'POST' && status === 201;
const hasUnlimitedKey = (request: ProxiedRequest): boolean => {
  const key = service.keys.unlimited('read');
  return !isExcuse(key) && (headerOf(request, 'authorization') ?? '').endsWith(key.text());
};
const isGet = ({ method, requestTarget }: ProxiedRequest, path: string): boolean =>
  method === 'GET' && requestTarget === path;
const list = '/vouchers.php?site_id=1';
const etagOfExample = '"Vq3T5tq0b1xQw9Yd"';

/** The keys that were used for orders without a voucher. */
const taken = new Set<string>();
let isFirstList = true;

/** Each of them is seen by requests of its own. */
const planted: Readonly<Record<string, PlantedDefect>> = {
  'sites from Z to A': {
    defect: spoil(
      (request, { status }) => isGet(request, '/sites.php') && hasUnlimitedKey(request) && status === 200,
      (answer) => withList(answer, 'sites', (sites) => sites.toReversed()),
    ),
    found: { 'listSites 200 with a key that has no limit': /^sites is not sorted by name: "[^"]+" stands/ },
  },
  'answers without their charset': {
    defect: spoil(
      (request) => isGet(request, '/sites.php') && headerOf(request, 'if-none-match') === etagOfExample,
      withHeader('content-type', 'application/json'),
    ),
    found: {
      'listSites 200 with the example of header If-None-Match':
        /^Content-Type is "application\/json" instead of "application\/json; charset=utf-8"$/,
    },
  },
  'no WWW-Authenticate': {
    defect: spoil(
      (request) =>
        isGet(request, '/sites.php') &&
        !headerOf(request, 'authorization') &&
        !headerOf(request, 'x-api-key'),
      (answer) => without(answer, 'www-authenticate'),
    ),
    found: { 'listSites 401 without a key': /^the header WWW-Authenticate is missing$/ },
  },
  'more than 200 vouchers': {
    defect: spoil(
      (request, { status }) => {
        const isFirst = isFirstList && isGet(request, list) && status === 200;
        if (isFirst) isFirstList = false;
        return isFirst;
      },
      (answer) =>
        withList(answer, 'vouchers', (vouchers) => {
          // As many as the service has: it leaves the last one out.
          expect(vouchers).toHaveLength(200);
          return [...vouchers, vouchers.at(-1)!];
        }),
    ),
    found: { 'listVouchers 200 with the request of the example': /vouchers must NOT have more than 200/ },
  },
  'a status of vouchers that is not in the enum': {
    defect: spoil(
      (request) => isGet(request, list) && headerOf(request, 'if-none-match') === etagOfExample,
      (answer) =>
        withList(answer, 'vouchers', (vouchers) => vouchers.map((one) => ({ ...one, status: 'revoked' }))),
    ),
    found: {
      'listVouchers 200 with the example of header If-None-Match':
        /status is not one of "valid", "used", "expired"/,
    },
  },
  'the oldest voucher first': {
    defect: spoil(
      (request, { status }) => isGet(request, list) && hasUnlimitedKey(request) && status === 200,
      (answer) => withList(answer, 'vouchers', (vouchers) => vouchers.toReversed()),
    ),
    found: {
      'listVouchers 200 with a key that has no limit':
        /^vouchers is not sorted by -created_at: "[^"]+" stands before "[^"]+"/,
    },
  },
  'a query of which only the first thousand parameters are read': {
    defect: {
      request: (request) => {
        const [path = '', query = ''] = request.requestTarget.split('?');
        const parameters = query.split('&');
        return parameters.length <= 1000
          ? request
          : { ...request, requestTarget: `${path}?${parameters.slice(0, 1000).join('&')}` };
      },
    },
    found: {
      'listVouchers 200 with its parameters behind a thousand that nobody knows':
        /^the status is 400 instead of 200/,
    },
  },
  '304 for a list that has changed': {
    defect: spoil(
      (request, { status }) =>
        request.requestTarget === list &&
        status === 200 &&
        ![undefined, etagOfExample].includes(headerOf(request, 'if-none-match')),
      (answer) => ({ ...answer, status: 304, body: Buffer.alloc(0) }),
    ),
    found: {
      'listVouchers 200 with the ETag from before another voucher was made':
        /^the status is 304 instead of 200/,
    },
  },
  'a revoked voucher that stays valid in the list': {
    defect: spoil(
      (request) => isGet(request, list),
      (answer) => withText(answer, '"status":"expired"', '"status":"valid"'),
    ),
    found: {
      'listVouchers 200 after a voucher was revoked': /^the status of a revoked voucher is "valid"$/,
    },
  },
  '200 instead of 201': {
    defect: spoil(
      (request, answer) => isOrder(request, answer) && headerOf(request, 'content-type') === 'text/plain',
      withStatus(200),
    ),
    found: {
      'createVoucher 201 with a body of the type text/plain': /^the status is 200 instead of 201/,
    },
  },
  'a body that is not read with every Content-Type': {
    defect: {
      request: (request) =>
        headerOf(request, 'content-type') === 'application/x-www-form-urlencoded'
          ? { ...without(request, 'content-length'), body: Buffer.from('{}') }
          : request,
    },
    found: {
      'createVoucher 201 with a body of the type application/x-www-form-urlencoded':
        /^the status is 400 instead of 201/,
    },
  },
  'a field that is missing': {
    defect: spoil(
      (request, answer) => isOrder(request, answer) && headerOf(request, 'content-type') === undefined,
      (answer) => withBody(answer, ({ formatted_code: _, ...body }) => body),
    ),
    found: { 'createVoucher 201 without Content-Type': /does not fit its schema: .*formatted_code/ },
  },
  'a number as a text': {
    defect: spoil(
      (request, answer) => isOrder(request, answer) && String(request.body).startsWith('{"site_id":6,'),
      (answer) => withBody(answer, (body) => ({ ...body, max_uses: String(body['max_uses']) })),
    ),
    found: {
      'createVoucher 201 on a site whose controller returns no id': /max_uses must be integer/,
    },
  },
  'a repeated answer that differs from the first one': {
    defect: spoil(
      (request, answer) =>
        headerOf(answer, 'idempotency-replayed') !== undefined && String(request.body).startsWith('{"qos"'),
      (answer) => withBody(answer, (body) => ({ ...body, expire_minutes: 480 })),
    ),
    found: {
      'createVoucher 201 with the Idempotency-Key of an earlier request, and its fields in another order':
        /^the repeated answer is .* and not the first one/,
    },
  },
  'an Idempotency-Key that is not free after a 502': {
    defect: spoil((request, { status }) => {
      const key = headerOf(request, 'idempotency-key');
      if (key === undefined || taken.has(key)) return key !== undefined;
      if (status === 502) taken.add(key);
      return false;
    }, withStatus(409)),
    found: {
      'createVoucher 201 with the Idempotency-Key of an order that gave no voucher':
        /^the status is 409 instead of 201/,
      'createVoucher 201 with the Idempotency-Key of an order that gave a voucher without a code':
        /^the status is 409 instead of 201/,
    },
  },
  'a body that is no UTF-8, and is read all the same': {
    defect: {
      request: (request) => {
        const body = Buffer.from(request.body.toString('utf8'));
        return body.equals(request.body) ? request : { ...without(request, 'content-length'), body };
      },
    },
    found: {
      'createVoucher 400 with a byte in a text that UTF-8 does not have': /^the status is 201 instead of 400/,
      'createVoucher 400 with a text in Latin-1': /^the status is 201 instead of 400/,
      'createVoucher 400 with a surrogate in a text': /^the status is 201 instead of 400/,
    },
  },
  'content before access': {
    defect: spoil(({ body }, { status }) => status === 403 && String(body) === '{}', withStatus(400)),
    found: {
      'createVoucher 403 with a key of the scope read and without content':
        /^the status is 400 instead of 403/,
    },
  },
  'text/html on a 404': {
    defect: spoil(
      ({ body }, { status }) => status === 404 && String(body).includes('2147483647'),
      withHeader('content-type', 'text/html'),
    ),
    found: {
      'createVoucher 404 for a site that does not exist':
        /^Content-Type is "text\/html" instead of application\/json$/,
    },
  },
  'a 401 for a wrong method that does not say how to authenticate': {
    defect: spoil(
      ({ method, requestTarget }) => method === 'HEAD' && requestTarget === '/vouchers.php',
      (answer) => without(answer, 'www-authenticate'),
    ),
    found: { 'HEAD /vouchers.php without a key gives 401': /^the header WWW-Authenticate is missing$/ },
  },
  'a wrong method that takes the key from one header alone': {
    defect: {
      request: (request) =>
        request.method === 'POST' && request.requestTarget === '/sites.php'
          ? without(request, 'x-api-key')
          : request,
    },
    found: { 'POST /sites.php gives 405 with Allow: GET': /^the status is 401 instead of 405/ },
  },
  'a method that is not refused': {
    defect: spoil(
      ({ method, requestTarget }) => method === 'DELETE' && requestTarget === '/vouchers.php',
      (answer) => ({ ...answer, status: 204, body: Buffer.alloc(0), headers: [] }),
    ),
    found: {
      'DELETE /vouchers.php gives 405 with Allow: GET, POST': /^the status is 204 instead of 405: no body$/,
    },
  },
  'a 405 without Allow': {
    defect: spoil(
      ({ method, requestTarget }) => method === 'PUT' && requestTarget === '/sites.php',
      (answer) => without(answer, 'allow'),
    ),
    found: { 'PUT /sites.php gives 405 with Allow: GET': /^Allow is "" instead of "GET"$/ },
  },
  'a path in capitals that is answered': {
    defect: {
      request: (request) =>
        request.requestTarget === '/SITES.PHP' ? { ...request, requestTarget: '/sites.php' } : request,
    },
    found: { '/SITES.PHP is not /sites.php': /^the status is 200 instead of 404/ },
  },
  'an X-Request-Id that is not kept': {
    defect: spoil(
      (request) => headerOf(request, 'x-request-id') === 'contract-run.1',
      withHeader('x-request-id', 'always'),
    ),
    found: { 'X-Request-Id: "contract-run.1" of a client is kept': /^it is "always"$/ },
  },
  'a description in YAML that is not the one of the contract': {
    defect: spoil(
      ({ requestTarget }) => requestTarget === '/openapi.yaml',
      (answer) => withText(answer, 'Label of the voucher', 'Name'),
    ),
    found: {
      '/openapi.yaml says what the contract says':
        /^components\.schemas\.VoucherOrder is not that of the contract$/,
    },
  },
  'a description in JSON without a 429, and indented otherwise': {
    defect: spoil(
      ({ method, requestTarget }, { status }) =>
        method === 'GET' && requestTarget === '/openapi.php' && status === 200,
      (answer) => {
        const description = JSON.parse(String(answer.body)) as {
          paths: Record<string, Record<string, { responses: Json }>>;
        };
        delete description.paths['/vouchers.php']!['post']!.responses['429'];
        return { ...answer, body: Buffer.from(JSON.stringify(description, null, 2)) };
      },
    ),
    found: {
      '/openapi.php says what the contract says':
        /^paths\.\/vouchers\.php\.post\.responses\.429 is not that of the contract$/,
      '/openapi.php follows the specification: the documented responses of POST /vouchers.php are 201, 401, 403 and 429':
        /^it is not so that/,
      '/openapi.php follows the specification: it is indented by four blanks, with Unicode and slashes unescaped':
        /^it is not so that/,
    },
  },
  'a 405 of the description without Allow': {
    defect: spoil(
      ({ method, requestTarget }) => method === 'POST' && requestTarget === '/openapi.php',
      (answer) => without(answer, 'allow'),
    ),
    found: { '/openapi.php has no other methods': /^Allow is "" instead of "GET, HEAD"$/ },
  },
};

test('conformance names each defect of a service, and nothing else', async () => {
  const { found, expected } = await findPlanted(service, conformance, contract, planted);
  expect(found).toEqual(
    Object.fromEntries(Object.entries(expected).map(([name, says]) => [name, expect.stringMatching(says)])),
  );
});

test('the same X-Request-Id in all answers is found', async () => {
  const defect = { answer: withHeader('x-request-id', 'always') };
  const part = onlyStatus('listSites', 200);
  expect(failuresOf(await runThrough(service, [conformance], defect, part))).toMatchObject({
    'X-Request-Id: each request has another': 'two answers have "always"',
  });
});

test('a documented status that nobody knows how to reach fails, and says where to write it down', async () => {
  const response = "'304': { $ref: '#/components/responses/NotModified' }";
  const invalid = `'410': { $ref: '#/components/responses/InvalidRequest' }`;
  const changed = parseContractModel(contract.source.replace(response, `${invalid}\n        ${response}`));
  const { responses, ...listSites } = changed.operation('listSites');
  const only = responses.filter(({ status }) => status === 410);
  const part = { ...changed, operations: [{ ...listSites, responses: only }] };
  expect(failuresOf(await runThrough(service, [conformance], {}, part))).toMatchObject({
    'listSites 410':
      'nobody has written down how listSites gets to 410: write it into test/scenarios/api/listSites.ts',
  });
});

test('one defect is one failure, whatever stages see it: a wrong field, and a key that is not checked', async () => {
  const key = service.keys.permitting('read');
  if (isExcuse(key)) throw new Error(key.excuse);
  const result = await runThrough(
    service,
    [conformance, generated, security],
    {
      request: (request) => {
        const { headers, ...rest } = without(request, 'authorization', 'x-api-key');
        return { ...rest, headers: [...headers, ['X-API-Key', key.text()]] };
      },
      ...spoil(
        ({ requestTarget }, { status }) => requestTarget === '/sites.php' && status === 200,
        (answer) =>
          withList(answer, 'sites', (sites) => sites.map((site) => ({ ...site, id: String(site['id']) }))),
      ),
    },
    onlyOperations('listSites'),
  );
  const failed = casesOf(result).filter(({ outcome, sameAs }) => outcome === 'failed' && !sameAs);
  const stagesThatSaw = (text: string) =>
    failed
      .filter(({ problem }) => problem?.what.startsWith(text))
      .map(({ alsoSeenIn = [] }) => [...new Set(alsoSeenIn.map(({ stage }) => stage))]);
  expect(stagesThatSaw('the body does not fit its schema: ')).toEqual([
    ['conformance', 'generated', 'security'],
  ]);
  expect(stagesThatSaw('the status is 200 instead of 401')).toEqual([['conformance', 'security']]);
});
