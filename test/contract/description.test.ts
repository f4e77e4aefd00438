import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { OpenAPIBackend, type Document } from 'openapi-backend';
import { parse, stringify } from 'yaml';
import { parseContract } from '../../src/contract/contract.js';
import { describeContract } from '../../src/contract/description.js';
import { withApi } from '../support/api.js';
import { contractFile } from '../support/contract.js';
import type { Answer } from '../support/service.js';

interface Field {
  type: string;
  default?: unknown;
  properties?: Record<string, Field>;
  required?: string[];
  $ref?: string;
}
interface Operation {
  parameters?: unknown[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: Field } } };
  responses: Record<string, { description: string }>;
}
interface Description {
  openapi: string;
  info: Record<string, string>;
  security: unknown[];
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: unknown; schemas: Record<string, Field> };
}

const api = withApi();
let answer: Answer;
let description: Description;
let post: Operation;

beforeAll(async () => {
  answer = await api.get('/openapi.php');
  description = answer.body as Description;
  post = description.paths['/vouchers.php']!['post']!;
});

test('GET /openapi.php returns JSON with Content-Type application/json; charset=utf-8 [openapi-200 openapi-open]', () => {
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
});

test('the description conforms to OpenAPI 3.0.3 [openapi-200 service-description-importable]', async () => {
  expect(description.openapi).toBe('3.0.3');
  const definition = structuredClone(description) as unknown as Document;
  await new OpenAPIBackend({ definition, strict: true, ajvOpts: { validateFormats: false } }).init();
});

test('the output is pretty-printed, indented by four blanks [openapi-pretty]', () => {
  expect(answer.text).toBe(JSON.stringify(description, null, 4));
  expect(answer.text).toMatch(/^\{\n {4}"openapi": "3\.0\.3",\n {4}"info": \{\n {8}"title": /);
});

test('Unicode and slashes are unescaped [openapi-pretty]', () => {
  expect(answer.text).toContain('Hauptgebäude');
  expect(answer.text).toContain('"/sites.php"');
  expect(answer.text).not.toMatch(/\\u[0-9a-f]{4}|\\\//i);
});

test('there are no x- keys [openapi-no-extensions]', () => {
  expect(answer.text).not.toMatch(/"x-[^"]*":/);
});

test('info has title, version 1.0.0 and description [openapi-info version-description]', () => {
  expect(Object.keys(description.info).sort()).toEqual(['description', 'title', 'version']);
  expect(description.info['version']).toBe('1.0.0');
  expect(description.info['title']).not.toBe('');
  expect(description.info['description']).not.toBe('');
});

test('security schemes are bearerAuth (HTTP bearer) and apiKeyAuth (header X-API-Key); either one satisfies [openapi-security]', () => {
  expect(description.components.securitySchemes).toEqual({
    bearerAuth: { type: 'http', scheme: 'bearer' },
    apiKeyAuth: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  });
  expect(description.security).toEqual([{ bearerAuth: [] }, { apiKeyAuth: [] }]);
});

test('paths are /sites.php GET and /vouchers.php GET and POST [openapi-paths]', () => {
  const { '/sites.php': sites = {}, '/vouchers.php': vouchers = {} } = description.paths;
  expect(Object.keys(sites)).toEqual(['get']);
  expect(Object.keys(vouchers)).toEqual(['get', 'post']);
});

test('GET /vouchers.php has a required integer query parameter site_id, and its 200 is a list of vouchers [openapi-list-vouchers]', () => {
  const get = description.paths['/vouchers.php']!['get']!;
  expect(get.parameters).toEqual([
    expect.objectContaining({
      name: 'site_id',
      in: 'query',
      required: true,
      schema: expect.objectContaining({ type: 'integer' }),
    }),
  ]);
  expect(Object.keys(get.responses)).toEqual(['200']);
  expect(get.responses['200']!.description).toBe('List of vouchers');
});

test('POST /vouchers.php has a required JSON body with required site_id (integer) and name (string) [openapi-create-voucher]', () => {
  expect(post.requestBody?.required).toBe(true);
  const { schema } = post.requestBody!.content['application/json'];
  const order = schema.$ref ? description.components.schemas[schema.$ref.split('/').at(-1)!]! : schema;
  expect(order.required).toEqual(['site_id', 'name']);
  expect(order.properties).toMatchObject({ site_id: { type: 'integer' }, name: { type: 'string' } });
});

test('optional are max_uses (integer, default 1), expire_minutes (integer, default 480) and qos (object with integers) [openapi-create-voucher]', () => {
  const { properties } = description.components.schemas['VoucherOrder']!;
  const integer = { type: 'integer' };
  expect(Object.keys(properties!)).toEqual(['site_id', 'name', 'max_uses', 'expire_minutes', 'qos']);
  expect(properties).toMatchObject({
    max_uses: { type: 'integer', default: 1 },
    expire_minutes: { type: 'integer', default: 480 },
    qos: { type: 'object', properties: { down: integer, up: integer, quota_mb: integer } },
  });
});

test('POST /vouchers.php documents 201, 401, 403 and 429 and no other status [openapi-create-statuses]', () => {
  expect(Object.keys(post.responses)).toEqual(['201', '401', '403', '429']);
});

test('nothing is described that these statuses do not have [openapi-create-statuses]', () => {
  const { error } = description.components.schemas['AccessError']!.properties!;
  expect(error).toEqual({ type: 'string', enum: ['unauthorized', 'forbidden', 'rate_limited'] });
  expect(answer.text).not.toMatch(/Idempotency|invalid_request|not_found|_error|unavailable|payload/);
});

test('/openapi.yaml is the contract as it was written, with every status [openapi-yaml error-503-not-described]', async () => {
  const { text } = await api.get('/openapi.yaml');
  const written = parse(readFileSync(contractFile, 'utf8'), { merge: true }) as Description;
  expect(parse(text, { merge: true })).toEqual({ ...written, servers: [{ url: api.url }] });
  const { paths } = parse(text) as Description;
  const statusesOf = (path: string, method: string) => Object.keys(paths[path]![method]!.responses);
  expect(statusesOf('/sites.php', 'get')).toEqual(['200', '304', '401', '429', '500', '503']);
  expect(statusesOf('/vouchers.php', 'get')).toEqual(['200', '304', '400', '401', '429', '500', '503']);
  expect(statusesOf('/vouchers.php', 'post')).toEqual(
    '201 400 401 403 404 409 413 422 429 500 502 503'.split(' '),
  );
  expect(answer.text).not.toContain('"503"');
});

test('parameters that are beyond the specification are not described', () => {
  expect(answer.text).not.toMatch(/Idempotency-Key"|If-None-Match/);
});

/** The references of a description, each once. */
const referencesOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/"\$ref": "([^"]*)"/g)].map(([, reference]) => reference!))].sort();

const schemasOf = ({ components }: Description): string[] =>
  Object.keys(components.schemas)
    .map((name) => `#/components/schemas/${name}`)
    .sort();

test('every reference leads somewhere', () => {
  expect(referencesOf(answer.text)).toEqual(schemasOf(description));
});

test('every reference leads somewhere, whatever a designer has put among the components', async () => {
  const contract = parse(readFileSync(contractFile, 'utf8')) as {
    paths: Record<string, Record<string, { requestBody: unknown }>>;
    components: Record<string, Record<string, unknown>> & { schemas: Record<string, Field> };
  };
  const order = contract.paths['/vouchers.php']!['post']!;
  const { schema, example } = (
    order.requestBody as { content: { 'application/json': { schema: object; example: object } } }
  ).content['application/json'];
  order.requestBody = { $ref: '#/components/requestBodies/Order' };
  const { components } = contract;
  components['requestBodies'] = {
    Order: { $ref: '#/components/requestBodies/Other~1Order' },
    'Other/Order': {
      required: true,
      'x-max-bytes': 65536,
      content: { 'application/json': { schema, examples: { one: { $ref: '#/components/examples/One' } } } },
    },
  };
  components['examples'] = { One: { value: example } };
  components.schemas['Site']!.properties!['name'] = {
    $ref: '#/components/schemas/CreatedVoucher/properties/site',
  } as Field;
  const text = describeContract(parseContract(stringify(contract))).json('http://localhost');
  const described = JSON.parse(text) as Description;
  expect(referencesOf(text)).toEqual(schemasOf(described));
  expect(described.paths['/vouchers.php']!['post']!.requestBody).toMatchObject({
    required: true,
    content: { 'application/json': { schema, examples: { one: { value: example } } } },
  });
  expect(described.components.schemas['Site']!.properties).toMatchObject({ name: { type: 'string' } });
  await new OpenAPIBackend({
    definition: described as unknown as Document,
    strict: true,
    ajvOpts: { validateFormats: false },
  }).init();
});
