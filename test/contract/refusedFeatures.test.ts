import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readClientContract } from '../../scripts/sdk/clientContract.js';
import { loadGivenContract } from '../../src/cli/givenContract.js';
import { parseContract } from '../../src/contract/contract.js';
import { ContractError } from '../../src/contract/source.js';
import { parseThirdPartyContract } from '../../tools/contract/src/contract.js';
import { root } from '../support/built.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { indent } from './feature.js';

const answers = "responses: { '204': { description: d } }";
const body = (schema: string, type = 'application/json', rest = ''): string =>
  `requestBody: { x-max-bytes: 100, content: { ${type}: { schema: ${schema}${rest} } } }\n${answers}`;
const parameter = (rest: string): string => `parameters: [{ name: p, ${rest} }]\n${answers}`;
const kind = '{ type: object, properties: { kind: { type: string, enum: [x] } } }';
const files = '{ type: object, properties: { f: { type: string, format: binary } } }';
const oauth =
  "o: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://x/', scopes: { a: a, b: b } } } }";
const olderDraft = 'https://json-schema.org/draft/2019-09/schema';

/** What the service refuses: the words of the table, an operation that has it, and a security scheme. */
const refused: readonly (readonly [row: string, operation: string, scheme?: string])[] = [
  ['a `$ref` to an address', body("{ $ref: 'https://example.org/a.yaml' }")],
  ["a `$ref` out of the contract's folder", body("{ $ref: '../a.yaml' }")],
  ['a `$ref` that leads nowhere', body("{ $ref: '#/components/schemas/None' }")],
  [
    'a `discriminator` that is not clear',
    body(`{ oneOf: [${kind}, ${kind}], discriminator: { propertyName: kind } }`),
  ],
  ['`$id`', body('{ $id: x, type: string }')],
  ['`$anchor`', body('{ $anchor: x, type: string }')],
  ['`$dynamicRef`', body("{ $dynamicRef: '#x' }")],
  ['`$dynamicAnchor`', body('{ $dynamicAnchor: x }')],
  ['another `$schema`', body(`{ $schema: '${olderDraft}' }`)],
  ['`style: matrix`', parameter('in: path, required: true, style: matrix, schema: { type: string }')],
  ['`style: label`', parameter('in: path, required: true, style: label, schema: { type: string }')],
  [
    'objects in objects in the query',
    parameter(
      'in: query, style: deepObject, schema: { type: object, properties: { a: { type: object, properties: {} } } }',
    ),
  ],
  [
    '`additionalProperties` of fields that are parameters',
    parameter('in: query, schema: { type: object, additionalProperties: true }'),
  ],
  [
    'a parameter with `content` that is not JSON',
    parameter('in: query, content: { application/xml: { schema: {} } }'),
  ],
  ['servers of an operation', `servers: [{ url: 'http://x' }]\n${answers}`],
  ['bodies of other `multipart/*` types', body('{ type: object }', 'multipart/mixed')],
  [
    '`headers` in an `encoding`',
    body(files, 'multipart/form-data', ', encoding: { f: { headers: { X-A: { schema: {} } } } }'),
  ],
  [
    'errors that are not JSON',
    "responses: { '400': { description: d, x-error: invalid_request, content: { text/plain: {} } } }",
  ],
  ['other security schemes', `security: [{ tls: [] }]\n${answers}`, 'tls: { type: mutualTLS }'],
  ['other scopes in an alternative', `security: [{ o: [a] }, { o: [b], key: [] }]\n${answers}`, oauth],
];

const contractWith = (row: string, operation: string, scheme = ''): string => `openapi: 3.1.0
info: { title: t, version: '1' }
servers: [{ url: http://localhost }]
security: [{ key: [] }]
paths:
  ${/matrix|label/.test(row) ? '/a/{p}' : '/a'}:
    post:
      operationId: tried
${indent(operation, 6)}
  /b: { get: { operationId: other, responses: { '204': { description: d } } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    ${scheme}
`;
const folder = forAllTests(makeFolder, 'remove');

const document = readFileSync(join(root, 'docs/features.md'), 'utf8');
const [, table = ''] = /^\| refused \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(document) ?? [];
const rows = table
  .trim()
  .split('\n')
  .map((line) => line.slice(2, -2).split(' | '));

test('docs/features.md lists what is refused', () => {
  expect(rows.map(([row]) => row)).toEqual(refused.map(([row]) => row));
});

/** What became of the operation, and what was said of it. */
const cellOf = (operations: readonly string[], reasons: readonly string[]): string => {
  if (!operations.includes('tried')) return 'left out';
  return reasons.length > 0 ? 'not validated' : 'adapted';
};

const errorOf = (read: () => unknown): unknown => {
  try {
    read();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe.each(refused)('%s', (row, operation, scheme) => {
  let file: string;
  let text: string;
  beforeAll(async () => {
    file = join(folder.path, 'openapi.yaml');
    text = contractWith(row, operation, scheme);
    await writeFile(file, text);
  });
  const [, service, mock, client, contractRun] = rows.find(([name]) => name === row) ?? [];
  const placed = expect.stringMatching(/openapi\.yaml:\d+:\d+: /);

  test('the service refuses it with its place', () => {
    const error = errorOf(() => parseContract(text, { file }));
    expect(error).toBeInstanceOf(ContractError);
    expect((error as Error).message).toEqual(placed);
    expect(service).toBe('refused');
  });

  test('mock and proxy', () => {
    const reasons: string[] = [];
    const { operations } = loadGivenContract(
      file,
      () => '',
      (reason) => reasons.push(reason),
    );
    expect(mock).toBe(cellOf([...operations.keys()], reasons));
    expect(reasons).toEqual(reasons.map(() => placed));
    if (mock === 'left out') expect(reasons).toHaveLength(1);
  });

  test('the contract run', () => {
    const { operations, leftOut = [] } = parseThirdPartyContract(text, file);
    expect(contractRun).toBe(
      cellOf(
        operations.map(({ id }) => id),
        leftOut,
      ),
    );
    expect(leftOut).toEqual(contractRun === 'left out' ? [placed] : []);
  });

  test('the client', () => {
    const error = errorOf(() => readClientContract(file));
    expect(client).toBe(error === undefined ? 'generated' : 'refused');
    if (error !== undefined) expect((error as Error).message).toEqual(placed);
  });
});
