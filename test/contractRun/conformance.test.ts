import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { makeAnswerCheck } from '../../tools/contract/src/conformance/answers.js';
import {
  expectedDescription,
  resolvedDescription,
} from '../../tools/contract/src/conformance/expectedDescription.js';
import { methodFaults } from '../../tools/contract/src/conformance/methods.js';
import { sendLine } from '../../tools/contract/src/conformance/requestLine.js';
import { compareAddresses } from '../../tools/contract/src/conformance/servedDescription.js';
import { compareWithSpecification } from '../../tools/contract/src/conformance/specifiedDescription.js';
import { jsonFields } from '../../tools/contract/src/json.js';
import { describeContract } from '../../src/contract/description.js';
import { parseContractModel } from '../../tools/contract/src/contract.js';
import { makeHttpClient, type HttpAnswer } from '../../tools/contract/src/request.js';
import { startLocalServiceInProcess } from './localServiceInProcess.js';
import { contract } from './stageRun.js';
import { forAllTests } from '../support/fixture.js';

const service = forAllTests(startLocalServiceInProcess, 'close');

describe('what the specification lists of /openapi.php', () => {
  const documented = 'x-described: [201, 401, 403, 429]';
  const described = (source: string) =>
    jsonFields(JSON.parse(describeContract(parseContractModel(source).loaded).json('')));
  const failed = (description: Record<string, unknown>): string[] =>
    compareWithSpecification(resolvedDescription(description))
      .filter(({ holds }) => !holds)
      .map(({ text }) => text);

  test('holds', () => {
    expect(failed(described(contract.source))).toEqual([]);
  });

  const otherwise: readonly [from: string, to: string, sentence: string][] = [
    ['openapi: 3.0.3', 'openapi: 3.0.2', 'it is OpenAPI 3.0.3'],
    ['name: X-API-Key', 'name: X-Key', 'security schemes: '],
    ['  - apiKeyAuth: []\n', '', 'either scheme satisfies'],
    ['  - apiKeyAuth: []\n', '    apiKeyAuth: []\n', 'either scheme satisfies'],
    ['  /sites.php:\n', '  /site.php:\n', 'paths: '],
    ['          in: query\n', '          in: header\n', 'GET /vouchers.php has'],
    ['description: List of vouchers', 'description: Vouchers', 'the 200 of GET'],
    ['required: [site_id, name]', 'required: [site_id]', 'POST /vouchers.php has'],
    ['default: 480', 'default: 60', 'its body has optional max_uses'],
    ['            quota_mb:\n', '            quota:\n', 'its body has an optional qos'],
    [documented, 'x-described: [201, 400, 401, 403, 429]', 'the documented responses'],
    [documented, 'x-described: [201, 401, 403]', 'the documented responses'],
  ];

  test('is missed where a contract, and with it the service, says something else', () => {
    const found = otherwise.map(([from, to]) => {
      const source = contract.source.replaceAll(from, to);
      return [from, to, source === contract.source ? 'no change' : failed(described(source))];
    });
    expect(found).toEqual(
      otherwise.map(([from, to, sentence]) => [
        ...[from, to],
        expect.arrayContaining([expect.stringContaining(sentence)]),
      ]),
    );
  });

  test('names of fields that look like extension keys are described', () => {
    const source = contract.source.replace(
      'CreatedVoucher:\n      type: object\n      required: [success, code, formatted_code, site, max_uses, expire_minutes]\n      properties:\n',
      '$&        x-tag: { type: string, x-sorted: true }\n',
    );
    const model = parseContractModel(source);
    expect(JSON.stringify(described(source))).toContain('"x-tag":{"type":"string"}');
    expect(resolvedDescription(described(source))).toEqual(expectedDescription(model));
  });

  test('a body with a discriminator is described as it is written', () => {
    const source = contract.source
      .replace(
        "schema: { $ref: '#/components/schemas/VoucherOrder' }",
        "schema: { $ref: '#/components/schemas/Order' }",
      )
      .replace(
        '    VoucherOrder:\n',
        `    Order:
      oneOf: [{ $ref: '#/components/schemas/Single' }, { $ref: '#/components/schemas/Group' }]
      discriminator:
        propertyName: kind
        mapping: { single: '#/components/schemas/Single', group: '#/components/schemas/Group' }
    Single: { type: object, required: [kind], properties: { kind: { type: string, enum: [single] } } }
    Group: { type: object, required: [kind], properties: { kind: { type: string, enum: [group] } } }
    VoucherOrder:\n`,
      );
    const shown = resolvedDescription(described(source));
    expect(shown).toEqual(expectedDescription(parseContractModel(source)));
    expect(JSON.stringify(shown)).toContain('"discriminator":{"propertyName":"kind","mapping":');
  });
});

describe('an answer', () => {
  const headers = { 'x-request-id': 'a', 'content-type': 'application/json; charset=utf-8' };
  const refused: HttpAnswer = answerOf(404, { error: 'not_found', message: 'Site nicht gefunden' });
  const limited: HttpAnswer = {
    ...answerOf(429, { error: 'rate_limited', message: 'Zu viele Anfragen, bitte in 7 s erneut versuchen' }),
    headers: { ...headers, 'retry-after': '7' },
  };
  const forbidden = answerOf(403, { error: 'forbidden', message: 'Dem API-Schlüssel fehlt der Scope write' });

  function answerOf(status: number, body: unknown): HttpAnswer {
    return { status, headers, text: JSON.stringify(body), body };
  }
  const faults = (answer: HttpAnswer, expectation = {}): string[] =>
    makeAnswerCheck(contract, service)
      .faults(contract.operation('createVoucher'), answer, expectation)
      .map(({ text }) => text);

  const faulty: readonly [what: string, answer: HttpAnswer, fault: string][] = [
    ['an undocumented status', answerOf(418, {}), 'the status 418 is not documented for createVoucher: {}'],
    ['no body', { ...refused, text: '', body: undefined }, 'the body is no JSON: no body'],
    [
      'another media type',
      { ...refused, headers: { ...headers, 'content-type': 'text/html' } },
      'Content-Type is "text/html" instead of application/json',
    ],
    [
      'another character set',
      { ...refused, headers: { ...headers, 'content-type': 'application/json; charset=latin1' } },
      'Content-Type has charset=latin1',
    ],
    [
      'a field that is not documented',
      answerOf(404, { error: 'not_found', message: 'Site nicht gefunden', trace: 'x' }),
      'the body does not fit its schema: the value has a field that the schema does not name: trace',
    ],
    [
      'another error code',
      answerOf(404, { error: 'forbidden', message: 'Site nicht gefunden' }),
      'error is "forbidden" instead of "not_found"',
    ],
    [
      'another message',
      answerOf(404, { error: 'not_found', message: 'Nichts' }),
      'message is "Nichts", which is not "Site nicht gefunden"',
    ],
    [
      'another scope than the one that is missing',
      answerOf(403, { error: 'forbidden', message: 'Dem API-Schlüssel fehlt der Scope read' }),
      'message is "Dem API-Schlüssel fehlt der Scope read", which is not "Dem API-Schlüssel fehlt der Scope write"',
    ],
    [
      'other seconds than Retry-After',
      { ...limited, headers: { ...headers, 'retry-after': '8' } },
      'message is "Zu viele Anfragen, bitte in 7 s erneut versuchen", which is not "Zu viele Anfragen, bitte in 8 s erneut versuchen"',
    ],
    [
      'a header that is no number',
      { ...limited, headers: { ...headers, 'retry-after': '7', 'ratelimit-reset': 'soon' } },
      'the header RateLimit-Reset (soon): the value must be integer',
    ],
    [
      'a header that is not documented',
      { ...refused, headers: { ...headers, 'x-powered-by': 'x' } },
      'the header x-powered-by is not documented',
    ],
  ];

  test('that is as documented has no faults, and any other has the one that it has', () => {
    expect([refused, limited, forbidden].map((answer) => faults(answer))).toEqual([[], [], []]);
    expect(faulty.map(([what, answer]) => [what, faults(answer)])).toEqual(
      faulty.map(([what, , fault]) => [what, [fault]]),
    );
  });

  test('without a header that it always has is faulty, and so is one without a header that is expected', () => {
    expect(faults({ ...limited, headers: { ...limited.headers, 'x-request-id': undefined } })).toEqual([
      'the header X-Request-Id is missing',
    ]);
    expect(faults(refused, { present: ['RateLimit-Limit'] })).toEqual([
      'the header RateLimit-Limit is missing',
    ]);
    const counted = { ...refused, headers: { ...headers, 'ratelimit-limit': '5' } };
    expect(faults(counted, { absent: ['RateLimit-Limit'] })).toEqual([
      'the header RateLimit-Limit must not be there',
    ]);
  });

  test('that holds a key is faulty', () => {
    const key = service.keys.unlimited('write');
    if ('excuse' in key) throw new Error(key.excuse);
    const answer = answerOf(500, { error: 'server_error', message: `bad key ${key.text()}` });
    expect(faults(answer)).toEqual(['the answer holds an API key']);
  });
});

test('a method in small letters is another one, which gives 405 with Allow', async () => {
  const line = { method: 'get', path: '/sites.php', version: '1.1' } as const;
  expect(methodFaults('get', ['GET'], await sendLine(service.url, line))).toEqual([]);
  const usual = createServer();
  await new Promise<void>((resolve) => {
    usual.listen(0, '127.0.0.1', resolve);
  });
  const { port } = usual.address() as AddressInfo;
  const answer = await sendLine(`http://127.0.0.1:${String(port)}`, line);
  usual.close();
  expect(methodFaults('get', ['GET'], answer)).toMatchObject([
    { text: expect.stringMatching(/^the status is 400 instead of 405/) },
  ]);
});

test('a description names the Host of its request, and nothing that a client forwards', async () => {
  const client = makeHttpClient(service.url);
  try {
    const target = { url: service.url, send: client.send };
    const faults = await compareAddresses(target, '/openapi.php');
    expect(faults.filter(({ what }) => what !== undefined)).toEqual([]);
    const believing: typeof target = {
      ...target,
      send: (request) =>
        client.send({
          ...request,
          headers: request.headers.map(([name, value]) => [
            name === 'X-Forwarded-Host' ? 'Host' : name,
            value,
          ]),
        }),
    };
    const found = await compareAddresses(believing, '/openapi.php');
    expect(found.flatMap(({ what }) => what ?? [])).toEqual([
      'servers[0].url is http://elsewhere.example: X-Forwarded-Host of a client does not count',
    ]);
  } finally {
    client.close();
  }
});
