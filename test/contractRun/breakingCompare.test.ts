import { expect, test } from '@jest/globals';
import type { Change } from '../../scripts/contract/breaking/change.js';
import { compareContracts } from '../../scripts/contract/breaking/compareContracts.js';
import { parseEarlierContract } from '../../scripts/contract/contract.js';

const before = `openapi: 3.0.3
info: { title: Bees, version: 1.0.0 }
servers: [{ url: http://localhost }]
security: [{ bearerAuth: [] }, { apiKeyAuth: [] }]
paths:
  /bees:
    get:
      operationId: listBees
      x-scope: read
      parameters:
        - { name: hive, in: query, required: false, schema: { type: integer, minimum: 1, x-lenient: true } }
        - { name: If-None-Match, in: header, schema: { type: string } }
      responses:
        '200':
          headers: { ETag: { schema: { type: string } }, Total: { required: true, schema: { type: integer } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Bee' } } }
        '404': { $ref: '#/components/responses/Gone' }
    post:
      operationId: addBee
      x-scope: write
      requestBody:
        required: false
        x-max-bytes: 1000
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                name: { type: string, minLength: 1, maxLength: 20, x-trim: true }
                legs: { type: integer, default: 6, maximum: 8, x-lenient: true, x-leading-number: true, x-above-maximum: maximum }
                kind: { type: string, enum: [queen, worker] }
                size: { type: integer }
                tags: { type: array, maxItems: 3, items: { type: string, pattern: '^a' } }
      responses:
        '201': { content: { application/json: { schema: { $ref: '#/components/schemas/Bee' } } } }
        '404': { $ref: '#/components/responses/Gone' }
components:
  securitySchemes:
    bearerAuth: { type: http, scheme: bearer }
    apiKeyAuth: { type: apiKey, in: header, name: X-API-Key }
  responses:
    Gone:
      x-error: gone
      content: { application/json: { schema: { type: object, properties: { error: { type: string, enum: [gone] } } } } }
  schemas:
    Bee:
      type: object
      required: [id, born]
      properties:
        id: { type: integer, minimum: 1 }
        born: { type: string, format: date-time }
        died: { type: string, nullable: true }
        state: { type: string, enum: [asleep, awake] }
        inner: { type: object, properties: { wings: { type: number, maximum: 4 } } }
`;

const load = (source: string) => parseEarlierContract(source, 'bees.yaml');

const lineAt = (change: Change | undefined): string | undefined =>
  before.split('\n')[Number(change?.at.split(':')[1]) - 1]?.trim();

const compare = (...changes: [from: string, to: string][]): Change[] => {
  let after = before;
  for (const [from, to] of changes) {
    if (!after.includes(from)) throw new Error(`the contract has no "${from}"`);
    after = after.replace(from, () => to);
  }
  return compareContracts(load(before), load(after));
};

const sentencesOf = (changes: readonly Change[]): string[] =>
  changes.map(
    ({ severity, operation, text }) =>
      `${severity}: ${operation === undefined ? '' : `${operation}: `}${text}`,
  );

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

test.each<[string, string, string, string]>([
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
  // Request fields
  [
    'a request field that is required all at once',
    'required: [name]',
    'required: [name, kind]',
    "breaking: POST /bees: property 'kind' of the request body is now required",
  ],
  [
    'a request field that is no longer required',
    'required: [name]',
    'required: []',
    "compatible: POST /bees: property 'name' of the request body is no longer required",
  ],
  [
    'a request field that is gone',
    '                kind: { type: string, enum: [queen, worker] }\n',
    '',
    "breaking: POST /bees: property 'kind' of the request body was removed",
  ],
  [
    'a new request field',
    '                kind:',
    '                other: { type: string }\n                kind:',
    "compatible: POST /bees: property 'other' of the request body was added",
  ],
  [
    'another type',
    'kind: { type: string',
    'kind: { type: integer',
    'breaking: POST /bees: property \'kind\' of the request body: type changed from "string" to "integer"',
  ],
  [
    'a wider type of a request',
    'size: { type: integer',
    'size: { type: number',
    'compatible: POST /bees: property \'size\' of the request body: type changed from "integer" to "number"',
  ],
  [
    'a longer minimum',
    'minLength: 1',
    'minLength: 2',
    "breaking: POST /bees: property 'name' of the request body: minLength tightened from 1 to 2",
  ],
  [
    'a bound where there was none',
    'kind: { type: string,',
    'kind: { type: string, maxLength: 5,',
    "breaking: POST /bees: property 'kind' of the request body: maxLength tightened from none to 5",
  ],
  [
    'a looser bound',
    'maxLength: 20',
    'maxLength: 30',
    "compatible: POST /bees: property 'name' of the request body: maxLength loosened from 20 to 30",
  ],
  [
    'a shorter list',
    'maxItems: 3',
    'maxItems: 2',
    "breaking: POST /bees: property 'tags' of the request body: maxItems tightened from 3 to 2",
  ],
  [
    'a pattern of elements',
    "pattern: '^a'",
    "pattern: '^b'",
    'breaking: POST /bees: an element of property \'tags\' of the request body: pattern changed from "^a" to "^b"',
  ],
  [
    'another default',
    'default: 6',
    'default: 4',
    "breaking: POST /bees: property 'legs' of the request body: default changed from 6 to 4",
  ],
  [
    'a value of a request that is gone',
    '[queen, worker]',
    '[queen]',
    'breaking: POST /bees: property \'kind\' of the request body: the value "worker" was removed',
  ],
  [
    'a new value of a request',
    '[queen, worker]',
    '[queen, worker, drone]',
    'compatible: POST /bees: property \'kind\' of the request body: the value "drone" was added',
  ],
  [
    'leniency that is gone',
    ', x-lenient: true',
    '',
    "breaking: GET /bees: the query parameter 'hive': x-lenient changed from true to none",
  ],
  [
    'a number at the beginning that no longer counts',
    ', x-leading-number: true',
    '',
    "breaking: POST /bees: property 'legs' of the request body: x-leading-number changed from true to none",
  ],
  [
    'a maximum that refuses all at once',
    ', x-above-maximum: maximum',
    '',
    'breaking: POST /bees: property \'legs\' of the request body: x-above-maximum changed from "maximum" to none',
  ],
  [
    'new leniency',
    'kind: { type: string,',
    'kind: { type: string, x-trim: true,',
    "compatible: POST /bees: property 'kind' of the request body: x-trim changed from none to true",
  ],
  [
    'a request that allows no other fields',
    'required: [name]',
    'additionalProperties: false\n              required: [name]',
    'breaking: POST /bees: the request body: fields that are not named are no longer allowed',
  ],
  // Responses
  [
    'a property of a response that is gone',
    '        died: { type: string, nullable: true }\n',
    '',
    "breaking: GET /bees: property 'died' of the 200 response was removed (and the same in all 2 operations that share it)",
  ],
  [
    'a property of a response that may be missing',
    'required: [id, born]',
    'required: [id]',
    "breaking: GET /bees: property 'born' of the 200 response is no longer required (and the same in all 2 operations that share it)",
  ],
  [
    'a property of a response that may be null',
    'state: { type: string,',
    'state: { type: string, nullable: true,',
    "breaking: GET /bees: property 'state' of the 200 response: may now be null (and the same in all 2 operations that share it)",
  ],
  [
    'a new property of a response',
    '        died:',
    '        size: { type: integer }\n        died:',
    "compatible: GET /bees: property 'size' of the 200 response was added (and the same in all 2 operations that share it)",
  ],
  [
    'a new value of a response',
    '[asleep, awake]',
    '[asleep, awake, away]',
    'breaking: GET /bees: property \'state\' of the 200 response: the value "away" was added (and the same in all 2 operations that share it)',
  ],
  [
    'a new code of an error',
    'enum: [gone]',
    'enum: [gone, lost]',
    'risky: GET /bees: property \'error\' of the 404 response: the value "lost" was added (and the same in all 2 operations that share it)',
  ],
  [
    'a looser bound deep in a response',
    'maximum: 4',
    'maximum: 5',
    "breaking: GET /bees: property 'wings' of property 'inner' of the 200 response: maximum loosened from 4 to 5 (and the same in all 2 operations that share it)",
  ],
  [
    'another format',
    'format: date-time',
    'format: date',
    'breaking: GET /bees: property \'born\' of the 200 response: format changed from "date-time" to "date" (and the same in all 2 operations that share it)',
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
])('%s', (_name, from, to, sentence) => {
  expect(sentencesOf(compare([from, to]))).toContain(sentence);
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
