import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseContract } from '../../src/contract/contract.js';
import { checkExamples } from '../../src/contract/examples.js';
import { ContractError } from '../../src/contract/source.js';
import { contractFile } from '../support/contract.js';

const written = readFileSync(contractFile, 'utf8');

/** What a designer sees of a contract in which one text was replaced: what is wrong, and the line from there on. */
const refused = (from: string, to: string): { what: string; shown: string } => {
  expect(written).toContain(from);
  const text = written.replace(from, () => to);
  try {
    checkExamples(parseContract(text));
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const { file, line, column } = error.position;
    expect(error.message).toBe(`${file}:${line}:${column}: ${error.what}`);
    expect(file).toBe('openapi.yaml');
    return { what: error.what, shown: text.split('\n')[line - 1]!.slice(column - 1) };
  }
  throw new Error('it was not refused');
};

test('an example of a header may have the characters of Latin-1', () => {
  const text = written.replace('example: 5f3c9a1e-2k', 'example: Anfrage fünf');
  expect(() => checkExamples(parseContract(text))).not.toThrow();
});

test('the contract of the service is not refused', () => {
  expect(() => checkExamples(parseContract(written))).not.toThrow();
});

const listSites = 'operationId: listSites\n';
const siteIdMessage = '            x-message: site_id erforderlich\n';
const siteIdInQuery = `        - name: site_id
          in: query`;

const voucherOrder = "application/json:\n            schema: { $ref: '#/components/schemas/VoucherOrder' }";

const pathOperation = (id: string, parameter: string): string => `    get:
      operationId: ${id}
      x-scope: read
      parameters:
        - { name: ${parameter}, in: path, required: true, schema: { type: string } }
      responses:
        '204': { description: d }
`;

describe('a contract that can not be used is refused with the place', () => {
  test.each([
    ['no YAML', 'tags: [sites]', 'tags: [sites', /sufficiently indented and end with a \]/, /./],
    [
      'an unknown anchor',
      'tags: [sites]',
      'tags: *sites',
      'there is no anchor &sites: before it there are *response-headers',
      /^\*sites/,
    ],
    [
      'a merge of an unknown anchor',
      "ETag: { $ref: '#/components/headers/ETag' }",
      'ETag: { <<: *etag }',
      /^there is no anchor &etag/,
      /^\*etag/,
    ],
    [
      'an anchor that stands behind its alias',
      'tags: [sites]\n      summary: List',
      'tags: *late\n      summary: &late List',
      /^there is no anchor &late/,
      /^\*late/,
    ],
    [
      'a merge of something that is no object',
      "ETag: { $ref: '#/components/headers/ETag' }",
      'ETag: { <<: text }',
      '<< needs an object, or a list of them',
      /^text/,
    ],
    [
      'a key twice',
      listSites,
      `${listSites}      operationId: other\n`,
      /must be unique/,
      /^operationId: other/,
    ],
    ['another version', 'openapi: 3.0.3', 'openapi: 2.0.0', /^openapi must be a version 3\.0/, /^2\.0\.0/],
    ['no title', '  title: Voucher API\n', '', 'info.title is missing', /^info:/],
    [
      'no server',
      'servers:\n  - url: http://localhost:3000\n',
      'servers: []\n',
      'servers[0].url is missing',
      /^servers/,
    ],
    [
      'an error of another JSON type',
      `{ $ref: '#/components/responses/SiteNotFound' }`,
      '{ description: d, content: { application/problem+json: { schema: { type: object } } } }',
      'POST /vouchers.php: 404: application/problem+json would be sent as application/json: only that is supported yet',
      /^application\/problem\+json/,
    ],
    [
      'an error that is no JSON',
      `{ $ref: '#/components/responses/SiteNotFound' }`,
      '{ description: d, x-error: not_found, content: { text/plain: { schema: { type: string } } } }',
      'POST /vouchers.php: 404: an answer with x-error is sent as application/json, not as text/plain',
      /^text\/plain/,
    ],
    ...['application/merge-patch+json', 'application/x-www-form-urlencoded', 'multipart/form-data'].map(
      (media): [string, string, string, string, RegExp] => [
        `a body of ${media}`,
        voucherOrder,
        voucherOrder.replace('application/json', media),
        `POST /vouchers.php: requestBody: bodies of ${media} are not validated yet: only those of application/json are`,
        new RegExp(`^${media.replace('+', '\\+')}:`),
      ],
    ),
    [
      'a schema of a body that nobody reads',
      voucherOrder,
      'text/csv:\n            schema: { type: string, format: binary, maxLength: 5 }',
      'POST /vouchers.php: requestBody: bodies of text/csv are not validated: maxLength would not hold',
      /^5 }/,
    ],
    [
      'a parameter of a path that is not described',
      '  /sites.php:',
      '  /places/{id}:',
      /^GET \/places\/\{id\}: the parameter \{id\} of the path is not described/,
      /^get:/,
    ],
    ['a path without /', '  /sites.php:', '  sites.php:', /must begin with \//, /^sites\.php:/],
    ['no operationId', `      ${listSites}`, '', 'GET /sites.php: operationId is missing', /^get:$/],
    [
      'an operationId that is no name',
      listSites,
      'operationId: list-sites\n',
      /"list-sites" must be a name/,
      /^list-sites$/,
    ],
    [
      'an operationId twice',
      'operationId: listVouchers',
      'operationId: listSites',
      'GET /vouchers.php: the operationId listSites belongs to GET /sites.php already',
      /^listSites$/,
    ],
    [
      'no x-scope',
      '      x-scope: read\n',
      '',
      'GET /sites.php: x-scope is missing: one of read, write',
      /^get:$/,
    ],
    [
      'no x-max-bytes',
      '        x-max-bytes: 65536\n',
      '',
      'POST /vouchers.php: x-max-bytes of requestBody is missing',
      /^requestBody:$/,
    ],
    [
      'a limit of no bytes',
      'x-max-bytes: 65536',
      'x-max-bytes: 0',
      'POST /vouchers.php: x-max-bytes must be a whole number of bytes, at least 1',
      /^0$/,
    ],
    [
      'a wrong x-scope',
      'x-scope: write',
      'x-scope: admin',
      'POST /vouchers.php: x-scope is "admin": one of read, write',
      /^admin$/,
    ],
    [
      'a scope where no key is needed',
      listSites,
      `${listSites}      security: []\n`,
      'GET /sites.php: x-scope means nothing for an operation that needs no key',
      /^read$/,
    ],
    [
      'security that is not declared',
      listSites,
      `${listSites}      security: [{ session: [] }]\n`,
      'components.securitySchemes.session is missing',
      /^session: /,
    ],
    [
      'a key that is optional',
      listSites,
      `${listSites}      security: [{}, { bearerAuth: [] }]\n`,
      /^a requirement of security names no scheme/,
      /^\{\}/,
    ],
    [
      'a security scheme that is not supported',
      'scheme: bearer',
      'scheme: basic',
      'components.securitySchemes.bearerAuth: scheme is "basic": only bearer is supported',
      /^basic/,
    ],
    [
      'two paths that match the same',
      '  /sites.php:',
      `  /a/{x}:\n${pathOperation('one', 'x')}  /a/{y}:\n${pathOperation('two', 'y')}  /sites.php:`,
      '/a/{y} matches the same paths as /a/{x}',
      /^\/a\/\{y\}:/,
    ],
    [
      'two parameters between two slashes',
      '  /sites.php:',
      `  /a/{x}-{y}:\n${pathOperation('one', 'x')}  /sites.php:`,
      /^\/a\/\{x\}-\{y\}: "\{x\}-\{y\}": between two slashes may stand one parameter/,
      /^\/a\//,
    ],
    [
      'a parameter that does not stand in the path',
      siteIdInQuery,
      siteIdInQuery.replace('query', 'path'),
      'GET /vouchers.php: the parameter site_id does not stand in the path',
      /^name: site_id$/,
    ],
    [
      'a parameter in a path that is not required',
      '  /sites.php:',
      `  /a/{x}:\n${pathOperation('one', 'x').replace('required: true', 'required: false')}  /sites.php:`,
      'GET /a/{x}: the parameter x stands in the path, so it must be required: true',
      /^\{ name: x/,
    ],
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
        ['readOnly', 'schema: { type: string, readOnly: true }', 'readOnly is not supported', /^true/],
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
      'several media types of a request',
      voucherOrder,
      `text/csv: {}\n          ${voucherOrder}`,
      'POST /vouchers.php: requestBody: one media type is served, not 2',
      /^content:$/,
    ],
    [
      'a reference to nothing',
      `'#/components/schemas/SiteList'`,
      `'#/components/schemas/SitesList'`,
      '$ref "#/components/schemas/SitesList" leads to nothing',
      /^'#\/components\/schemas\/SitesList'/,
    ],
    [
      'a reference to another file',
      `'#/components/schemas/SiteList'`,
      'other.yaml',
      /^\$ref "other\.yaml" does not begin with #\//,
      /^other\.yaml/,
    ],
    [
      'a recursive schema',
      'name: { type: string, description: Name of the site }',
      `name: { $ref: '#/components/schemas/Site' }`,
      /^\$ref "#\/components\/schemas\/Site" leads back to itself/,
      /^'#\/components\/schemas\/Site'/,
    ],
    [
      'a status that is none',
      `        '304': { $ref`,
      `        default: { $ref`,
      /"default" is no status/,
      /^default:/,
    ],
    [
      'a media type that is none',
      "            application/json:\n              schema: { $ref: '#/components/schemas/SiteList' }",
      "            plain text:\n              schema: { $ref: '#/components/schemas/SiteList' }",
      'GET /sites.php: 200: "plain text" is no media type',
      /^plain text:$/,
    ],
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
      'an example of a header with a character outside Latin-1',
      'example: 5f3c9a1e-2k',
      'example: Anfrage №5',
      'GET /sites.php: 200: the example of X-Request-Id can not be sent: a header holds characters of Latin-1 on one line',
      /^Anfrage №5$/,
    ],
    [
      'an example of a header with a line break',
      'example: 5f3c9a1e-2k',
      'example: "a\\r\\nX-Other: b"',
      /^GET \/sites\.php: 200: the example of X-Request-Id can not be sent/,
      /^"a\\r/,
    ],
    [
      'a named example of a header that can not be sent',
      'example: 5f3c9a1e-2k',
      'examples: { first: { value: a }, second: { value: № } }',
      /the example of X-Request-Id can not be sent/,
      /^№ } }$/,
    ],
    [
      'a value of a header that can not be sent',
      'schema: { type: string, enum: [Bearer] }\n          example: Bearer',
      'schema: { type: string, enum: [№5] }',
      /^GET \/sites\.php: 401: the example of WWW-Authenticate can not be sent/,
      /^№5\] \}$/,
    ],
    [
      'an example of a header of the request that can not be sent',
      'example: \'"Vq3T5tq0b1xQw9Yd"\'',
      'example: "№5"',
      /^GET \/sites\.php: the example of If-None-Match can not be sent/,
      /^"№5"$/,
    ],
    [
      'a name of a header that is none',
      '            Idempotency-Replayed:',
      '            Idempotency Replayed:',
      'POST /vouchers.php: 201: "Idempotency Replayed" is no name of a header',
      /^Idempotency Replayed:$/,
    ],
    [
      'a schema that is none',
      'id: { type: integer, minimum: 1, description',
      'id: { type: number, minimum: one, description',
      /minimum must be number$/,
      /^one, description/,
    ],
    [
      'an example that does not fit',
      '- { id: 1, name: Hauptgebäude }',
      '- { id: one, name: Hauptgebäude }',
      /^GET \/sites\.php: 200: the example does not fit its schema: \/sites\/0\/id must be integer/,
      /^one, name/,
    ],
    [
      'an example without a field',
      '- { id: 1, name: Hauptgebäude }',
      '- { id: 1 }',
      /must have required property 'name'/,
      /^\{ id: 1 \}/,
    ],
    [
      'an example, behind a reference, that does not fit',
      'example: { error: rate_limited, message',
      'example: { error: too_many, message',
      /429: the example does not fit its schema: \/error must be equal to one of the allowed values/,
      /^too_many/,
    ],
    [
      'an example of a parameter that does not fit',
      `${siteIdMessage}          example: 1\n`,
      `${siteIdMessage}          example: first\n`,
      'GET /vouchers.php: the example of site_id does not fit its schema: must be integer',
      /^first$/,
    ],
    [
      'a default that its schema refuses',
      'default: 480',
      'default: 0',
      'POST /vouchers.php: the default of expire_minutes does not fit its schema: must be >= 1',
      /^0$/,
    ],
    [
      'a part of a default that its schema refuses',
      'default: { down: 0, up: 0, quota_mb: 0 }',
      'default: { down: 0, up: none, quota_mb: 0 }',
      'POST /vouchers.php: the default of qos does not fit its schema: /up must be integer',
      /^none, quota_mb/,
    ],
    [
      'a default of a parameter with a format that it does not have',
      `${siteIdMessage}          example: 1\n`,
      `${siteIdMessage}          example: 1\n        - { name: from, in: query, description: From, schema: { type: string, format: date, default: '2026-19-39' }, example: '2026-11-16' }\n`,
      'GET /vouchers.php: the default does not fit its schema: must match format "date"',
      /^'2026-19-39'/,
    ],
  ])('%s', (_, from, to, what, shown) => {
    const found = refused(from, to);
    if (typeof what === 'string') expect(found.what).toBe(what);
    else expect(found.what).toMatch(what);
    expect(found.shown).toMatch(shown);
  });
});
