import { ok, post, refused, type Feature } from './feature.js';

/** What schemas may hold. */
export const schemaFeatures: readonly Feature[] = [
  {
    row: '`allOf`, `oneOf`, `anyOf`, `not` and `$ref`',
    paths: post(
      '/x',
      'composed',
      `
allOf:
  - $ref: '#/components/schemas/Named'
  - type: object
    required: [size]
    properties: { size: { type: integer, x-lenient: true, minimum: 1, x-message: Wie groß? } }
type: object
properties:
  either: { oneOf: [{ type: integer }, { type: string, pattern: '^x' }] }
  any: { anyOf: [{ type: boolean }, { type: array, items: { type: string } }] }
  never: { not: { type: string } }`,
    ),
    components: `schemas:
  Named: { type: object, required: [name], properties: { name: { type: string, x-trim: true, minLength: 1, x-message: Wie heißt es? } } }`,
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      [
        'all of them, with their conversions',
        ['POST', '/x', { body: { name: ' a ', size: '5', other: 1 } }],
        ok({ name: 'a', size: 5 }),
      ],
      ['with their messages', ['POST', '/x', { body: { name: ' ', size: 5 } }], refused('Wie heißt es?')],
      ['of each', ['POST', '/x', { body: { name: 'a' } }], refused('Wie groß?')],
      [
        'one of several',
        ['POST', '/x', { body: { name: 'a', size: 1, either: 'x1' } }],
        ok({ name: 'a', size: 1, either: 'x1' }),
      ],
      [
        'or none',
        ['POST', '/x', { body: { name: 'a', size: 1, either: 'y' } }],
        refused('either is invalid'),
      ],
      [
        'any of several',
        ['POST', '/x', { body: { name: 'a', size: 1, any: ['b'] } }],
        ok({ name: 'a', size: 1, any: ['b'] }),
      ],
      [
        'or none of them',
        ['POST', '/x', { body: { name: 'a', size: 1, any: [1] } }],
        refused('any is invalid'),
      ],
      ['not', ['POST', '/x', { body: { name: 'a', size: 1, never: 'a' } }], refused('never is invalid')],
    ],
  },
  {
    row: '`additionalProperties`',
    paths: `${post('/none', 'closed', 'type: object\nadditionalProperties: false\nproperties: { a: { type: string } }')}
${post('/any', 'open', 'type: object\nadditionalProperties: true\nproperties: { a: { type: string } }')}
${post('/typed', 'typed', 'type: object\nadditionalProperties: { type: integer, x-lenient: true }\nproperties: { a: { type: string } }')}
${post('/left', 'unsaid', 'type: object\nproperties: { a: { type: string } }')}`,
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      [
        'false refuses others',
        ['POST', '/none', { body: { a: 'x', b: 1 } }],
        refused('The request is invalid'),
      ],
      ['true keeps them', ['POST', '/any', { body: { a: 'x', b: [1] } }], ok({ a: 'x', b: [1] })],
      ['a schema converts them', ['POST', '/typed', { body: { a: 'x', b: '7' } }], ok({ a: 'x', b: 7 })],
      ['not said, they are left out', ['POST', '/left', { body: { a: 'x', b: 1 } }], ok({ a: 'x' })],
      [
        'a name that objects have by themselves',
        ['POST', '/any', { body: '{"a":"x","__proto__":{"z":1}}' }],
        { status: 200, text: '{"a":"x","__proto__":{"z":1}}' },
      ],
    ],
  },
  {
    row: '`nullable`',
    paths: post(
      '/n',
      'nullable',
      'type: object\nproperties: { a: { type: integer, nullable: true, x-lenient: true }, b: { type: integer } }',
    ),
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      ['null stays null', ['POST', '/n', { body: { a: null } }], ok({ a: null })],
      ['and is refused elsewhere', ['POST', '/n', { body: { b: null } }], refused('b is invalid')],
    ],
  },
  {
    row: '`format`',
    paths: post(
      '/f',
      'formats',
      `type: object
properties:
  mail: { type: string, format: email }
  day: { type: string, format: date }
  time: { type: string, format: date-time }
  id: { type: string, format: uuid }
  ip: { type: string, format: ipv4 }
  small: { type: integer, format: int32 }`,
    ),
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      ...(
        [
          ['mail', 'a@example.org', 'a'],
          ['day', '2026-11-15', '15.11.2026'],
          ['time', '2026-11-15T09:30:00Z', 'yesterday'],
          ['id', '6f1c2a34-5b7d-4c8e-9f01-23456789abcd', '6f1c'],
          ['ip', '192.0.2.1', '192.0.2.256'],
          ['small', 5, 3_000_000_000],
          // Of the right form, but there is no such thing.
          ['mail', 'a.b+c@mail.example.org', 'a..b@example'],
          ['day', '2024-02-29', '2026-19-39'],
          ['time', '2026-11-15T09:30:00.5+01:00', '2026-11-15T29:00:00Z'],
        ] as const
      ).flatMap(([name, good, bad]): Feature['cases'] => [
        [`${name} that is one: ${good}`, ['POST', '/f', { body: { [name]: good } }], ok({ [name]: good })],
        [
          `${name} that is none: ${bad}`,
          ['POST', '/f', { body: { [name]: bad } }],
          refused(`${name} is invalid`),
        ],
      ]),
    ],
  },
  {
    row: '`exclusiveMinimum`, `exclusiveMaximum`',
    paths: post(
      '/e',
      'exclusiveBounds',
      `type: object
properties:
  part: { type: number, minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: true }
  whole: { type: integer, minimum: 0, exclusiveMinimum: false, x-lenient: true, x-message: ab 0 }
  above: { type: integer, minimum: 0, exclusiveMinimum: true, x-message: { exclusiveMinimum: mehr als 0 } }`,
    ),
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      ['between them', ['POST', '/e', { body: { part: 0.5 } }], ok({ part: 0.5 })],
      ['at the lower one', ['POST', '/e', { body: { part: 0 } }], refused('part is invalid')],
      ['at the upper one', ['POST', '/e', { body: { part: 1 } }], refused('part is invalid')],
      ['at one that is allowed', ['POST', '/e', { body: { whole: '0' } }], ok({ whole: 0 })],
      ['with the message of the keyword', ['POST', '/e', { body: { above: 0 } }], refused('mehr als 0')],
    ],
  },
  {
    row: 'lists in bodies',
    paths: post(
      '/l',
      'bodyLists',
      "type: object\nproperties: { rows: { type: array, items: { type: object, properties: { n: { type: integer, x-lenient: true, maximum: 9, x-message: 'n bis 9' }, 'a/b~c': { type: string, x-message: 'mit / und ~' } } } } }",
    ),
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      [
        'are converted item by item',
        ['POST', '/l', { body: { rows: [{ n: '5', x: 1 }] } }],
        ok({ rows: [{ n: 5 }] }),
      ],
      [
        'with the message of the field',
        ['POST', '/l', { body: { rows: [{ n: 1 }, { n: 10 }] } }],
        refused('n bis 9'),
      ],
      [
        'whatever signs its name has',
        ['POST', '/l', { body: { rows: [{ 'a/b~c': 1 }] } }],
        refused('mit / und ~'),
      ],
    ],
  },
];
