import { expect, test } from '@jest/globals';
import { changed, compare, compareTexts, lineAt, sentencesOf } from './changedContract.js';

test('a contract that is the same has no changes', () => {
  expect(compare()).toEqual([]);
});

test('what no client can notice is no change', () => {
  expect(
    compare(
      ['title: Bees', 'title: Our bees'],
      ['{ type: integer, minimum: 1 }', '{ type: integer, minimum: 1, description: The number of the bee }'],
      ['operationId: listBees', 'summary: All bees\n      operationId: listBees'],
    ),
  ).toEqual([]);
});

const changes: readonly [what: string, from: string, to: string, sentence: string][] = [
  // Operations, statuses, bodies
  [
    'an operation that is gone',
    '    get:\n',
    '    patch:\n',
    'breaking: GET /bees: the operation was removed',
  ],
  [
    'an operation with another id',
    'operationId: listBees',
    'operationId: bees',
    'risky: GET /bees: the operationId changed from listBees to bees; generated clients name their methods after it',
  ],
  [
    'a status that is gone',
    "        '404': { $ref: '#/components/responses/Gone' }\n    post",
    '    post',
    'breaking: GET /bees: the status 404 was removed',
  ],
  [
    'a new status',
    "        '404': { $ref: '#/components/responses/Gone' }\n    post",
    "        '404': { $ref: '#/components/responses/Gone' }\n        '500': {}\n    post",
    'compatible: GET /bees: the status 500 was added',
  ],
  [
    'a body that is required all at once',
    'required: false\n        x-max',
    'required: true\n        x-max',
    'breaking: POST /bees: the request body is now required',
  ],
  [
    'a lower limit of the body',
    'x-max-bytes: 1000',
    'x-max-bytes: 999',
    'breaking: POST /bees: the request body: x-max-bytes changed from 1000 to 999',
  ],
  [
    'a higher limit of the body',
    'x-max-bytes: 1000',
    'x-max-bytes: 1001',
    'compatible: POST /bees: the request body: x-max-bytes changed from 1000 to 1001',
  ],
  [
    'another media type',
    'content:\n          application/json',
    'content:\n          text/plain',
    'breaking: POST /bees: the request body: the media type changed from application/json to text/plain',
  ],
  [
    'one more media type',
    'content: { application/json: { schema: { $ref',
    'content: { text/csv: {}, application/json: { schema: { $ref',
    'compatible: GET /bees: the 200 response is also given as text/csv',
  ],
  [
    'another code of an error',
    'x-error: gone',
    'x-error: lost',
    'breaking: GET /bees: the 404 response: x-error changed from gone to lost (and the same in all 2 operations that share it)',
  ],
  [
    'a header that is gone',
    'ETag: { schema: { type: string } }, ',
    '',
    'risky: GET /bees: the header ETag of the 200 response was removed',
  ],
  [
    'a required header that is gone',
    ', Total: { required: true, schema: { type: integer } }',
    '',
    'breaking: GET /bees: the header Total of the 200 response was removed',
  ],
  // Parameters
  [
    'a parameter that is gone',
    '        - { name: If-None-Match, in: header, schema: { type: string } }\n',
    '',
    "breaking: GET /bees: the header parameter 'If-None-Match' was removed",
  ],
  [
    'a parameter that is required all at once',
    'in: query, required: false',
    'in: query, required: true',
    "breaking: GET /bees: the query parameter 'hive' is now required",
  ],
  [
    'a new required parameter',
    'parameters:\n',
    'parameters:\n        - { name: new, in: query, required: true, schema: {} }\n',
    "breaking: GET /bees: the query parameter 'new' was added and is required",
  ],
  [
    'a new optional parameter',
    'parameters:\n',
    'parameters:\n        - { name: new, in: query, schema: {} }\n',
    "compatible: GET /bees: the query parameter 'new' was added",
  ],
  [
    'a bound of a parameter',
    'schema: { type: integer, minimum: 1, x-lenient: true }',
    'schema: { type: integer, minimum: 2, x-lenient: true }',
    "breaking: GET /bees: the query parameter 'hive': minimum tightened from 1 to 2",
  ],
  // Access
  [
    'a scope that asks for more',
    'x-scope: read',
    'x-scope: write',
    'breaking: GET /bees: the scope changed from read to write',
  ],
  [
    'a scope that asks for less',
    'x-scope: write',
    'x-scope: read',
    'compatible: POST /bees: the scope changed from write to read',
  ],
  [
    'a way to authenticate that changed',
    'name: X-API-Key',
    'name: Key',
    "breaking: the security scheme 'apiKeyAuth' changed",
  ],
  [
    'an operation that needs no key',
    'operationId: listBees\n      x-scope: read',
    'security: []\n      operationId: listBees',
    'compatible: GET /bees: no key is needed any more',
  ],
];

test('what changes in operations, parameters and access is said with what it means for clients', () => {
  const said = changes.map(([what, from, to]) => [what, sentencesOf(compare([from, to]))]);
  expect(said).toEqual(changes.map(([what, , , sentence]) => [what, expect.arrayContaining([sentence])]));
});

test('a way to authenticate that is gone breaks every operation', () => {
  const changes = sentencesOf(
    compare(['security: [{ bearerAuth: [] }, { apiKeyAuth: [] }]', 'security: [{ bearerAuth: [] }]']),
  );
  expect(changes).toEqual([
    "breaking: GET /bees: 'apiKeyAuth' is no longer a way to authenticate",
    "breaking: POST /bees: 'apiKeyAuth' is no longer a way to authenticate",
  ]);
});

test('a change says where it stands in the new contract', () => {
  const [change] = compare(['minLength: 1', 'minLength: 2']);
  expect(lineAt(change)).toMatch(/^name: \{ type: string, minLength/);
  const [shared] = compare(['maximum: 4', 'maximum: 5']);
  expect(lineAt(shared)).toMatch(/^inner: \{ type: object, properties: \{ wings/);
});

test('one of several media types that is gone breaks clients', () => {
  const [one, two] = [
    'content: { application/json: { schema: { $ref',
    'content: { text/csv: {}, application/json: { schema: { $ref',
  ];
  expect(sentencesOf(compareTexts(changed([one, two]), changed()))).toEqual([
    'breaking: GET /bees: the 200 response is no longer given as text/csv',
  ]);
});
