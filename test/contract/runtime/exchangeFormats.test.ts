import { expect, test } from '@jest/globals';
import { parseContract } from '../../../src/contract/contract.js';
import { makeExchangeCheck } from '../../../src/contract/proxy/exchangeCheck.js';

const contract = parseContract(`openapi: 3.0.3
info: { title: T, version: 1.0.0 }
servers: [{ url: http://localhost }]
components: {}
paths:
  /times:
    post:
      operationId: listTimes
      parameters: [{ name: since, in: query, schema: { type: string, format: date } }]
      requestBody:
        x-max-bytes: 1000
        content:
          application/json:
            schema: { type: object, properties: { on: { type: string, format: date } } }
      responses:
        '200':
          description: Times
          headers: { X-Time: { schema: { type: string, format: time } } }
          content:
            application/json:
              schema: { type: object, properties: { at: { type: string, format: date-time } } }
`);

const check = makeExchangeCheck(contract);
const operation = contract.operations.get('listTimes')!;

const json = { 'content-type': 'application/json' };
const violations = (day: string, time: string, at: string): string[] => {
  const request = { method: 'POST', path: '/times', search: `since=${day}`, headers: json };
  const sent = Buffer.from(JSON.stringify({ on: day }));
  const response = { status: 200, headers: { ...json, 'x-time': time } };
  return [
    ...check.checkRequest(check.route(request), request, sent),
    ...check.checkResponseHead(operation, response),
    ...check.checkResponseBody(operation, response, Buffer.from(JSON.stringify({ at }))),
  ].map(({ in: place, what }) => `${place} ${what}`);
};

test('the proxy accepts dates and times that exist', () => {
  expect(violations('2024-02-29', '23:00:00Z', '2026-11-14T09:30:00+01:00')).toEqual([]);
});

test.each([
  ['2026-19-39', '29:00:00Z', '2026-19-39T29:00:00Z'],
  ['2026-02-30', '23:00:00+24:00', '2026-02-30T10:00:00Z'],
  ['2026-00-10', '24:00:00Z', '2026-11-14T24:00:01Z'],
])('the proxy finds %s, %s and %s, which do not exist', (day, time, at) => {
  expect(violations(day, time, at)).toEqual([
    'request body',
    'request parameter',
    'response header',
    'response body',
  ]);
});
