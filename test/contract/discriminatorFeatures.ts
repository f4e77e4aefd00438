import { ok, post, refused, type Feature } from './feature.js';

/** Two kinds of vouchers, with a field of the same name that means something else in each. */
const kinds = `
  Card: { type: object, required: [kind, number], properties: { kind: { type: string, x-message: Welche Art? }, number: { type: string, x-trim: true, minLength: 3, x-message: Welche Karte? } } }
  Cash: { type: object, required: [kind, number], properties: { kind: { type: string }, number: { type: integer, x-lenient: true, minimum: 1, x-message: Wie viel? }, currency: { type: string, default: EUR } } }`;

const anyOther = [
  ['an unknown value', { kind: 'cheque', number: 1 }],
  ['no value', { number: 1 }],
  ['another type', { kind: 1, number: 1 }],
  ['a list of it', { kind: ['card'], number: 1 }],
  ['null', { kind: null, number: 1 }],
  ['64 KiB of it', { kind: 'x'.repeat(60_000), number: 1 }],
  ['the name of its schema instead of its value', { kind: 'Card', number: '123' }],
] as const;

/** Names that all objects have. */
const inherited = ['__proto__', 'constructor', 'toString'];

const cases = (path: string, message: string): Feature['cases'] => [
  [
    'converted by the chosen one',
    ['POST', path, { body: { kind: 'card', number: ' 123 ', x: 1 } }],
    ok({ kind: 'card', number: '123' }),
  ],
  [
    'with its defaults, converted by it',
    ['POST', path, { body: { kind: 'cash', number: '5.9' } }],
    ok({ kind: 'cash', number: 5, currency: 'EUR' }),
  ],
  [
    'with the messages of the first, converted by it',
    ['POST', path, { body: { kind: 'card', number: ' 1 ' } }],
    refused('Welche Karte?'),
  ],
  ['and of the second', ['POST', path, { body: { kind: 'cash', number: 0 } }], refused('Wie viel?')],
  ...anyOther.map(([what, body]): Feature['cases'][number] => [
    what,
    ['POST', path, { body }],
    refused(message),
  ]),
  ...inherited.map((kind): Feature['cases'][number] => [
    `the value ${kind}`,
    ['POST', path, { body: { kind, number: 1 } }],
    refused(message),
  ]),
  [
    'a field of this name',
    ['POST', path, { body: '{"__proto__":{"kind":"card"},"number":"123"}' }],
    refused(message),
  ],
];

const choice = (keyword: string): string => `${keyword}:
  - $ref: '#/components/schemas/Card'
  - $ref: '#/components/schemas/Cash'
discriminator:
  propertyName: kind
  mapping: { card: '#/components/schemas/Card', cash: Cash }`;

/** In components that have another one in their `allOf`. */
const family = `
  Animal: { type: object, required: [kind, name], discriminator: { propertyName: kind, mapping: { cat: Cat } }, properties: { kind: { type: string, x-message: Welches Tier? }, name: { type: string, x-trim: true, minLength: 1, x-message: Wie heißt es? } } }
  Cat: { allOf: [{ $ref: '#/components/schemas/Animal' }, { type: object, properties: { lives: { type: integer, default: 9, maximum: 9 } } }] }
  Dog: { allOf: [{ $ref: '#/components/schemas/Animal' }, { type: object, required: [size], properties: { size: { type: integer, x-lenient: true, minimum: 1, x-message: Wie groß? } } }] }
  Puppy: { allOf: [{ $ref: '#/components/schemas/Dog' }, { type: object, properties: { parent: { $ref: '#/components/schemas/Animal' } } }] }`;

const features = (openapi: string, prefix: string): readonly Feature[] => [
  {
    row: `${prefix}\`discriminator\` beside \`oneOf\` or \`anyOf\``,
    openapi,
    paths: `${post('/one', 'one', choice('oneOf'))}
${post('/any', 'any', choice('anyOf'))}
${post('/listed', 'listed', `type: object\nproperties:\n  all:\n    type: array\n    items:\n${choice('oneOf').replaceAll(/^/gm, '      ')}`)}
${post('/named', 'named', `oneOf:\n  - { $ref: '#/components/schemas/Card' }\n  - { type: object, required: [kind], properties: { kind: { type: string, enum: [gift] } } }\ndiscriminator: { propertyName: kind }`)}
${post('/tree', 'tree', "$ref: '#/components/schemas/Node'")}`,
    components: `schemas:${kinds}
  Node:
    oneOf: [{ $ref: '#/components/schemas/Leaf' }, { $ref: '#/components/schemas/Branch' }]
    discriminator: { propertyName: type, mapping: { leaf: Leaf, branch: Branch } }
  Leaf: { type: object, required: [type], properties: { type: { type: string }, size: { type: integer, x-lenient: true, minimum: 1, x-message: Wie groß? } } }
  Branch: { type: object, required: [type, parts], properties: { type: { type: string }, parts: { type: array, items: { $ref: '#/components/schemas/Node' } } } }`,
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      ...cases('/one', 'Welche Art?'),
      ...cases('/any', 'Welche Art?').map(([what, ...rest]): Feature['cases'][number] => [
        `anyOf: ${what}`,
        ...rest,
      ]),
      [
        'each item of a list converted by its own',
        [
          'POST',
          '/listed',
          {
            body: {
              all: [
                { kind: 'cash', number: '1' },
                { kind: 'card', number: ' 123' },
              ],
            },
          },
        ],
        ok({
          all: [
            { kind: 'cash', number: 1, currency: 'EUR' },
            { kind: 'card', number: '123' },
          ],
        }),
      ],
      [
        'with the messages of its own',
        [
          'POST',
          '/listed',
          {
            body: {
              all: [
                { kind: 'cash', number: 1 },
                { kind: 'card', number: '1' },
              ],
            },
          },
        ],
        refused('Welche Karte?'),
      ],
      [
        'without a mapping by its name',
        ['POST', '/named', { body: { kind: 'Card', number: '123' } }],
        ok({ kind: 'Card', number: '123' }),
      ],
      ['or by the values of its own', ['POST', '/named', { body: { kind: 'gift' } }], ok({ kind: 'gift' })],
      [
        'in itself, converted by it',
        [
          'POST',
          '/tree',
          {
            body: {
              type: 'branch',
              parts: [
                { type: 'leaf', size: '3' },
                { type: 'branch', parts: [{ type: 'leaf', size: '4', x: 1 }] },
              ],
            },
          },
        ],
        ok({
          type: 'branch',
          parts: [
            { type: 'leaf', size: 3 },
            { type: 'branch', parts: [{ type: 'leaf', size: 4 }] },
          ],
        }),
      ],
      [
        'wrong in itself',
        [
          'POST',
          '/tree',
          { body: { type: 'branch', parts: [{ type: 'branch', parts: [{ type: 'leaf', size: 0 }] }] } },
        ],
        refused('Wie groß?'),
      ],
      [
        'unknown in itself',
        ['POST', '/tree', { body: { type: 'branch', parts: [{ type: 'twig' }] } }],
        refused('type is invalid'),
      ],
    ],
  },
  {
    row: `${prefix}\`discriminator\` of a component that others have in their \`allOf\``,
    openapi,
    paths: `${post('/animals', 'animal', "$ref: '#/components/schemas/Animal'")}
${post('/dogs', 'dog', "$ref: '#/components/schemas/Dog'")}`,
    components: `schemas:${family}`,
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      [
        'by its value, with defaults',
        ['POST', '/animals', { body: { kind: 'cat', name: ' Mia ', x: 1 } }],
        ok({ kind: 'cat', name: 'Mia', lives: 9 }),
      ],
      [
        'by its name, converted by it',
        ['POST', '/animals', { body: { kind: 'Dog', name: 'Rex', size: '3' } }],
        ok({ kind: 'Dog', name: 'Rex', size: 3 }),
      ],
      [
        'one that inherits from another, and begins again',
        [
          'POST',
          '/animals',
          {
            body: {
              kind: 'Puppy',
              name: 'Bo',
              size: 1,
              parent: { kind: 'Dog', name: ' Rex ', size: 2, x: 1 },
            },
          },
        ],
        ok({ kind: 'Puppy', name: 'Bo', size: 1, parent: { kind: 'Dog', name: 'Rex', size: 2 } }),
      ],
      [
        'what all have is validated, converted by it',
        ['POST', '/animals', { body: { kind: 'cat', name: ' ' } }],
        refused('Wie heißt es?'),
      ],
      [
        'what the chosen one has',
        ['POST', '/animals', { body: { kind: 'Dog', name: 'Rex', size: 0 } }],
        refused('Wie groß?'),
      ],
      [
        'what only another one has',
        ['POST', '/animals', { body: { kind: 'cat', name: 'Mia', lives: 10 } }],
        refused('lives is invalid'),
      ],
      [
        'the parent itself',
        ['POST', '/animals', { body: { kind: 'Animal', name: 'x' } }],
        refused('Welches Tier?'),
      ],
      ['no value', ['POST', '/animals', { body: { name: 'x' } }], refused('Welches Tier?')],
      [
        'the value __proto__',
        ['POST', '/animals', { body: { kind: '__proto__', name: 'x' } }],
        refused('Welches Tier?'),
      ],
      [
        'the child where only it is wanted, converted by it',
        ['POST', '/dogs', { body: { kind: 'Dog', name: 'Rex', size: '3' } }],
        ok({ kind: 'Dog', name: 'Rex', size: 3 }),
      ],
      [
        'wrong where only it is wanted',
        ['POST', '/dogs', { body: { kind: 'Dog', name: 'Rex' } }],
        refused('Wie groß?'),
      ],
    ],
  },
];

export const discriminatorFeatures = features('3.0.3', '');
export const discriminatorFeatures31 = features('3.1.0', 'OpenAPI 3.1: ');
