import { ok, post, refused, type Feature } from './feature.js';

/** What schemas of OpenAPI 3.1 may hold beside those of 3.0: JSON Schema 2020-12. */
export const schema31Features: readonly Feature[] = [
  {
    row: 'OpenAPI 3.1: `type` lists, `const`, `true` and `false` as schemas',
    openapi: '3.1.0',
    paths: post(
      '/t',
      'types31',
      `type: object
properties:
  name: { type: [string, 'null'], x-trim: true, minLength: 1, examples: [Haus] }
  count: { type: ['null', integer], x-lenient: true, maximum: 9, x-message: bis 9 }
  mixed: { type: [string, integer] }
  kind: { const: site }
  nothing: { type: 'null' }
  any: true
  none: false`,
    ),
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      ['null', ['POST', '/t', { body: { name: null, count: null } }], ok({ name: null, count: null })],
      ['or converted', ['POST', '/t', { body: { name: ' a ', count: '5' } }], ok({ name: 'a', count: 5 })],
      ['and validated', ['POST', '/t', { body: { count: '10' } }], refused('bis 9')],
      ['one of the types', ['POST', '/t', { body: { mixed: 'a' } }], ok({ mixed: 'a' })],
      ['the other one', ['POST', '/t', { body: { mixed: 1 } }], ok({ mixed: 1 })],
      ['none of them', ['POST', '/t', { body: { mixed: true } }], refused('mixed is invalid')],
      ['the one value', ['POST', '/t', { body: { kind: 'site' } }], ok({ kind: 'site' })],
      ['another value', ['POST', '/t', { body: { kind: 'user' } }], refused('kind is invalid')],
      ['only null', ['POST', '/t', { body: { nothing: 0 } }], refused('nothing is invalid')],
      ['any value', ['POST', '/t', { body: { any: [{}] } }], ok({ any: [{}] })],
      ['no value', ['POST', '/t', { body: { none: 1 } }], refused('none is invalid')],
    ],
  },
  {
    row: 'OpenAPI 3.1: `exclusiveMinimum` and `exclusiveMaximum`',
    openapi: '3.1.1',
    paths: post(
      '/e',
      'bounds31',
      `type: object
properties:
  part: { type: number, exclusiveMinimum: 0, exclusiveMaximum: 1 }
  above: { type: integer, exclusiveMinimum: 0, x-message: { exclusiveMinimum: mehr als 0 } }`,
    ),
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      ['between them', ['POST', '/e', { body: { part: 0.5 } }], ok({ part: 0.5 })],
      ['at the lower one', ['POST', '/e', { body: { part: 0 } }], refused('part is invalid')],
      ['at the upper one', ['POST', '/e', { body: { part: 1 } }], refused('part is invalid')],
      ['with the message of the keyword', ['POST', '/e', { body: { above: 0 } }], refused('mehr als 0')],
    ],
  },
  {
    row: 'OpenAPI 3.1: `prefixItems`, `contains`, `unevaluatedItems`',
    openapi: '3.1.0',
    paths: post(
      '/p',
      'lists31',
      `type: object
properties:
  pair: { type: array, prefixItems: [{ type: string }, { type: integer }], items: false }
  rest: { type: array, prefixItems: [{ type: string }], items: { type: integer, x-lenient: true } }
  some: { type: array, contains: { const: a }, maxContains: 1 }
  closed: { type: array, allOf: [{ prefixItems: [{ type: string }] }], unevaluatedItems: false }`,
    ),
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      ['each in its place', ['POST', '/p', { body: { pair: ['a', 1] } }], ok({ pair: ['a', 1] })],
      ['in the wrong place', ['POST', '/p', { body: { pair: [1, 'a'] } }], refused('pair is invalid')],
      ['one too many', ['POST', '/p', { body: { pair: ['a', 1, 2] } }], refused('pair is invalid')],
      ['the others converted', ['POST', '/p', { body: { rest: ['1', '2'] } }], ok({ rest: ['1', 2] })],
      ['one of them', ['POST', '/p', { body: { some: ['b', 'a'] } }], ok({ some: ['b', 'a'] })],
      ['not two', ['POST', '/p', { body: { some: ['a', 'a'] } }], refused('some is invalid')],
      ['none', ['POST', '/p', { body: { some: ['b'] } }], refused('some is invalid')],
      ['unevaluated', ['POST', '/p', { body: { closed: ['a', 'b'] } }], refused('closed is invalid')],
    ],
  },
  {
    row: 'OpenAPI 3.1: `if`, `then`, `else`, `dependentRequired`, `dependentSchemas`',
    openapi: '3.1.0',
    paths: post(
      '/i',
      'conditions31',
      `type: object
properties:
  kind: { type: string }
  street: { type: string, x-message: Welche Straße? }
  card: { type: string }
  expires: { type: string, x-message: Bis wann? }
  guest: { type: string }
if: { properties: { kind: { const: house } }, required: [kind] }
then: { required: [street] }
else: { properties: { floor: { type: integer } } }
dependentRequired: { card: [expires] }
dependentSchemas: { guest: { properties: { room: { type: integer } }, required: [room] } }`,
    ),
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      ['then', ['POST', '/i', { body: { kind: 'house', street: 'a' } }], ok({ kind: 'house', street: 'a' })],
      ['then it is missing', ['POST', '/i', { body: { kind: 'house' } }], refused('Welche Straße?')],
      ['else', ['POST', '/i', { body: { kind: 'flat', floor: 2 } }], ok({ kind: 'flat', floor: 2 })],
      [
        'else it is wrong',
        ['POST', '/i', { body: { kind: 'flat', floor: 'x' } }],
        refused('The request is invalid'),
      ],
      ['needed with another', ['POST', '/i', { body: { card: '1' } }], refused('Bis wann?')],
      [
        'both of them',
        ['POST', '/i', { body: { card: '1', expires: 'x' } }],
        ok({ card: '1', expires: 'x' }),
      ],
      ['a schema with another', ['POST', '/i', { body: { guest: 'a' } }], refused('The request is invalid')],
      ['fits that schema', ['POST', '/i', { body: { guest: 'a', room: 1 } }], ok({ guest: 'a', room: 1 })],
    ],
  },
  {
    row: 'OpenAPI 3.1: `patternProperties`, `propertyNames`, `unevaluatedProperties`',
    openapi: '3.1.0',
    paths: `${post(
      '/patterns',
      'patterns31',
      `type: object
properties: { a: { type: string } }
patternProperties: { '^n_': { type: integer } }
additionalProperties: false`,
    )}
${post('/names', 'names31', "type: object\npropertyNames: { pattern: '^[a-z]+$' }")}
${post(
  '/closed',
  'closed31',
  `allOf: [{ $ref: '#/components/schemas/Named' }]
type: object
properties: { size: { type: integer } }
unevaluatedProperties: false`,
)}`,
    components:
      'schemas:\n  Named: { type: object, required: [name], properties: { name: { type: string } } }',
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      ['of the pattern', ['POST', '/patterns', { body: { a: 'x', n_1: 1 } }], ok({ a: 'x', n_1: 1 })],
      ['not of its schema', ['POST', '/patterns', { body: { n_1: 'x' } }], refused('The request is invalid')],
      ['of no pattern', ['POST', '/patterns', { body: { m: 1 } }], refused('The request is invalid')],
      ['names', ['POST', '/names', { body: { abc: 1 } }], ok({ abc: 1 })],
      ['other names', ['POST', '/names', { body: { ABC: 1 } }], refused('The request is invalid')],
      [
        'named in one of the parts',
        ['POST', '/closed', { body: { name: 'a', size: 1 } }],
        ok({ name: 'a', size: 1 }),
      ],
      [
        'named in none of them',
        ['POST', '/closed', { body: { name: 'a', other: 1 } }],
        refused('The request is invalid'),
      ],
    ],
  },
  {
    row: 'OpenAPI 3.1: `$defs`, and keywords beside a `$ref`',
    openapi: '3.1.0',
    paths: post(
      '/d',
      'definitions31',
      `type: object
properties:
  code: { $ref: '#/components/schemas/Code', description: the code, maxLength: 3, x-message: Drei Zeichen }
  inner: { $ref: '#/components/schemas/Code/$defs/Inner' }`,
    ),
    components: `schemas:
  Code:
    type: string
    minLength: 2
    x-trim: true
    $defs: { Inner: { type: integer, minimum: 1 } }`,
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      ['both hold', ['POST', '/d', { body: { code: ' ab ' } }], ok({ code: 'ab' })],
      ['what it refers to', ['POST', '/d', { body: { code: 'a' } }], refused('Drei Zeichen')],
      ['what stands beside it', ['POST', '/d', { body: { code: 'abcd' } }], refused('Drei Zeichen')],
      ['a definition', ['POST', '/d', { body: { inner: 0 } }], refused('inner is invalid')],
    ],
  },
];
