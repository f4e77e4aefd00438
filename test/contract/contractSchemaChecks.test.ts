import { siteIdInQuery, testRefused } from './refusedContracts.js';

testRefused([
  ...(
    [
      [
        'an object in a parameter',
        'schema: { type: object }',
        'objects in parameters are not supported',
        /^schema: \{ type/,
      ],
      [
        'a style that is not supported',
        'style: deepObject, schema: { type: string }',
        'style is "deepObject": one of form, spaceDelimited, pipeDelimited',
        /^deepObject/,
      ],
      [
        'a parameter with content',
        'content: { application/json: { schema: {} } }',
        'needs a schema; content is not supported',
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
