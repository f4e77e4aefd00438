import { siteIdInQuery, testRefused } from './refusedContracts.js';

testRefused([
  ...(
    [
      [
        'an object in an object of a parameter',
        'style: deepObject, schema: { type: object, properties: { a: { type: object } } }',
        'a is an object in an object: that needs JSON, content instead of schema',
        /^a: \{/,
      ],
      [
        'a list in an object that is one text',
        'explode: false, schema: { type: object, properties: { a: { type: array, items: { type: string } } } }',
        'a is a list in an object, which only deepObject and explode can write',
        /^a: \{/,
      ],
      [
        'an object that would take all other parameters',
        'schema: { type: object, additionalProperties: true }',
        'additionalProperties would take all other parameters: write style: deepObject',
        /^true/,
      ],
      [
        'an object in another style',
        'style: pipeDelimited, explode: false, schema: { type: object }',
        'an object can not have the style pipeDelimited',
        /^pipeDelimited/,
      ],
      [
        'deepObject of a text',
        'style: deepObject, schema: { type: string }',
        'the style deepObject is for objects',
        /^deepObject/,
      ],
      [
        'deepObject without explode',
        'style: deepObject, explode: false, schema: { type: object }',
        'style deepObject needs explode: true',
        /^false/,
      ],
      [
        'a style that is not supported',
        'style: matrix, schema: { type: string }',
        'style is "matrix": one of form, spaceDelimited, pipeDelimited, deepObject',
        /^matrix/,
      ],
      [
        'a parameter with content and a schema',
        'schema: { type: string }, content: { application/json: { schema: {} } }',
        'schema can not stand beside content',
        /^schema: \{ type/,
      ],
      [
        'a parameter with content of another media type',
        'content: { text/csv: { schema: {} } }',
        'content must be JSON, not text/csv',
        /^text\/csv/,
      ],
      [
        'a parameter with content of several media types',
        'content: { application/json: { schema: {} }, text/csv: { schema: {} } }',
        'content needs a single media type',
        /^content: /,
      ],
      [
        'an unknown format',
        'schema: { type: string, format: colour }',
        /there is no format "colour": date, time/,
        /^colour/,
      ],
      [
        'an exclusive bound of OpenAPI 3.1',
        'schema: { type: integer, exclusiveMinimum: 0 }',
        /exclusiveMinimum is a number only from OpenAPI 3\.1 on: write minimum: 0 and exclusiveMinimum: true$/,
        /^0/,
      ],
      [
        'an exclusive bound without its bound',
        'schema: { type: integer, exclusiveMaximum: true }',
        /exclusiveMaximum: true needs a maximum$/,
        /^true/,
      ],
      [
        'an exclusive bound that is no yes or no',
        "schema: { type: integer, minimum: 1, exclusiveMinimum: 'yes' }",
        /exclusiveMinimum must be true or false$/,
        /^'yes'/,
      ],
      [
        'an exclusive bound that the service applies',
        'schema: { type: integer, minimum: 1, exclusiveMinimum: true, default: 5, x-lenient: true, x-below-minimum: default }',
        /x-below-minimum can not stand beside exclusiveMinimum/,
        /^default/,
      ],
      [
        'an invalid pattern',
        "schema: { type: string, pattern: '[a-' }",
        /invalid pattern: Invalid/,
        /^'\[a-'/,
      ],
      [
        'a field for no direction at all',
        'schema: { type: string, readOnly: true, writeOnly: true }',
        /a field can not be both readOnly and writeOnly$/,
        /^true/,
      ],
      [
        'a direction that is no yes or no',
        "schema: { type: string, readOnly: 'yes' }",
        /readOnly is "yes": one of true, false$/,
        /^'yes'/,
      ],
      [
        'an extension key below oneOf',
        'schema: { oneOf: [{ type: integer, x-lenient: true }] }',
        'x-lenient can not stand below oneOf, anyOf, not',
        /^true/,
      ],
      [
        'a default below anyOf',
        'schema: { anyOf: [{ type: integer, default: 1 }] }',
        'default can not stand below oneOf, anyOf, not',
        /^1/,
      ],
    ] as const
  ).map(([name, rest, what, shown]): [string, string, string, RegExp, RegExp] => [
    name,
    siteIdInQuery,
    `        - { name: extra, in: query, ${rest} }\n${siteIdInQuery}`,
    typeof what === 'string' ? new RegExp(`${what.replace(/[[\]]/g, '\\$&')}$`) : what,
    shown,
  ]),
  [
    'an extension key with a wrong value',
    'x-below-minimum: default',
    'x-below-minimum: zero',
    'x-below-minimum is "zero": one of default, minimum',
    /^zero$/,
  ],
  [
    'an extension key on another type',
    'x-otherwise: absent',
    'x-trim: true',
    'x-trim belongs to the type string',
    /^true$/,
  ],
  [
    'an extension key without the one that it adds to',
    'x-lenient: true\n          x-leading-number: true',
    'x-leading-number: true',
    'x-leading-number needs x-lenient: true',
    /^true$/,
  ],
  [
    'an extension key without what it needs',
    '          default: 480\n',
    '',
    'x-below-minimum: default needs a default',
    /^default$/,
  ],
  [
    'a schema that is none',
    'id: { type: integer, minimum: 1, description',
    'id: { type: number, minimum: one, description',
    /minimum must be number$/,
    /^one, description/,
  ],
]);
