import { get, indent, ok, operation, parameters, refused, type Feature } from './feature.js';

/** What a handler gets of a request without parameters. */
const defaults = {
  query: {
    ...{ page: 1, tags: ['a', 'b'], filter: { free: true }, where: { age: 5 } },
    ...{ size: 7, most: 7, zone: 'UTC' },
  },
  header: { 'X-Unit': 'm' },
  cookie: { theme: null },
};

/** Parameters that a request need not have, and a handler always has. */
export const defaultFeature: Feature = {
  row: 'parameters with a `default`',
  paths: `${get(
    '/d',
    'defaults',
    parameters(
      '{ name: page, in: query, schema: { type: integer, default: 1 } }',
      '{ name: sort, in: query, schema: { type: string } }',
      '{ name: tags, in: query, schema: { type: array, items: { type: string }, default: [a, b] } }',
      '{ name: filter, in: query, style: deepObject, schema: { type: object, properties: { free: { type: boolean } }, default: { free: true } } }',
      '{ name: where, in: query, content: { application/json: { schema: { type: object, properties: { age: { type: integer } }, default: { age: 5 } } } } }',
      "{ name: size, in: query, schema: { $ref: '#/components/schemas/Size' } }",
      "{ name: most, in: query, schema: { allOf: [{ $ref: '#/components/schemas/Size' }, { maximum: 9 }] } }",
      "{ $ref: '#/components/parameters/Zone' }",
      '{ name: X-Unit, in: header, schema: { type: string, enum: [m, km], default: m } }',
      '{ name: theme, in: cookie, schema: { type: string, nullable: true, default: null } }',
    ),
  )}
/d/{id}:
  parameters:
    - { name: id, in: path, required: true, schema: { type: integer } }
    - { name: full, in: query, schema: { type: boolean, default: false } }
  get:
${indent(operation('ofPath', ''), 4)}`,
  components: `
schemas:
  Size: { type: integer, default: 7 }
parameters:
  Zone: { name: zone, in: query, schema: { type: string, default: UTC } }`,
  handler: ({ input: { query, header, cookie }, reply }) => reply(200, { query, header, cookie }),
  cases: [
    ['are there without being sent', ['GET', '/d'], ok(defaults)],
    [
      'what is sent counts',
      [
        'GET',
        '/d?page=2&tags=c&filter[free]=false&size=8',
        { headers: { 'X-Unit': 'km', Cookie: 'theme=hell' } },
      ],
      ok({
        query: { ...defaults.query, page: 2, tags: ['c'], filter: { free: false }, size: 8 },
        header: { 'X-Unit': 'km' },
        cookie: { theme: 'hell' },
      }),
    ],
    ['an invalid value is refused', ['GET', '/d?page=x'], refused('page is invalid')],
    ['also of a path', ['GET', '/d/1'], ok({ query: { full: false } })],
  ],
};

/** In OpenAPI 3.1 what stands beside a reference holds, too. */
export const defaultFeature31: Feature = {
  row: 'OpenAPI 3.1: a `default` beside a `$ref`',
  openapi: '3.1.0',
  paths: get(
    '/d',
    'defaults',
    parameters(
      "{ name: size, in: query, schema: { $ref: '#/components/schemas/Size', default: 1 } }",
      "{ name: most, in: query, schema: { $ref: '#/components/schemas/Size' } }",
    ),
  ),
  components: 'schemas: { Size: { type: integer } }',
  cases: [],
};
