import { expect, test } from '@jest/globals';
import { parseContract } from '../../../src/contract/contract.js';
import { makeExchangeCheck } from '../../../src/contract/proxy/exchangeCheck.js';

/** What the proxy says of an `Accept`, where a contract of others documents these media types of a success. */
const violations = (documented: readonly string[], accept: string): string[] => {
  const content = Object.fromEntries(documented.map((media) => [media, { schema: {} }]));
  const contract = parseContract(
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'T', version: '1' },
      paths: { '/photos': { get: { responses: { '200': { description: 'd', content } } } } },
    }),
    { isForeign: true, onUnsupported: (error) => expect(error).toBeUndefined() },
  );
  const check = makeExchangeCheck(contract);
  const request = { method: 'GET', path: '/photos', search: '', headers: { accept } };
  return check.checkRequest(check.route(request), request, Buffer.alloc(0)).map(({ message }) => message);
};

test('an Accept that allows none of several media types is reported', () => {
  expect(violations(['image/png', 'application/json'], 'image/png')).toEqual([]);
  expect(violations(['image/png', 'application/json'], 'text/html')).toEqual([
    'Accept allows none of image/png, application/json',
  ]);
});

test.each([[['*/*']], [['image/*']], [['image/*', 'application/json']]])(
  'where ranges are documented, anything may be accepted: %j',
  (documented) => {
    expect(violations(documented, 'image/png')).toEqual([]);
  },
);
