import { expect, test } from '@jest/globals';
import { parseContract } from '../../src/contract/contract.js';
import { checkExamples } from '../../src/contract/mock/examples.js';
import { siteIdInQuery, testRefused, written } from './refusedContracts.js';

test('the contract of the service is not refused', () => {
  expect(() => checkExamples(parseContract(written))).not.toThrow();
});

const listSites = 'operationId: listSites\n';
const voucherOrder = "application/json:\n            schema: { $ref: '#/components/schemas/VoucherOrder' }";

const pathOperation = (id: string, parameter: string): string => `    get:
      operationId: ${id}
      x-scope: read
      parameters:
        - { name: ${parameter}, in: path, required: true, schema: { type: string } }
      responses:
        '204': { description: d }
`;

testRefused([
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
    'servers of a path',
    '  /sites.php:\n',
    '  /sites.php:\n    servers: [{ url: https://sites.example.org }]\n',
    '/sites.php: servers of a path are not supported',
    /^servers: \[\{ url: https:\/\/sites/,
  ],
  [
    'servers of an operation',
    listSites,
    `${listSites}      servers: [{ url: https://sites.example.org }]\n`,
    'GET /sites.php: servers of an operation are not supported',
    /^servers: \[\{ url: https:\/\/sites/,
  ],
  [
    'an error that is no JSON',
    `{ $ref: '#/components/responses/SiteNotFound' }`,
    '{ description: d, x-error: not_found, content: { text/plain: { schema: { type: string } } } }',
    'POST /vouchers.php: 404: an answer with x-error is sent as application/json, not as text/plain',
    /^text\/plain/,
  ],
  [
    'a body of multipart/mixed',
    voucherOrder,
    voucherOrder.replace('application/json', 'multipart/mixed'),
    'POST /vouchers.php: requestBody: bodies of multipart/mixed are not validated: of multipart only multipart/form-data is',
    /^multipart\/mixed:/,
  ],
  [
    'a form with files of more than memory can hold',
    `x-max-bytes: 65536
        content:
          ${voucherOrder}`,
    'x-max-bytes: 67108865\n        content:\n          multipart/form-data:\n            schema: { type: object }',
    'POST /vouchers.php: x-max-bytes can be at most 67108864 with multipart/form-data: it is held in memory',
    /^67108865/,
  ],
  [
    'headers in the encoding of a form with files',
    voucherOrder,
    'multipart/form-data:\n            schema: { type: object, properties: { a: {} } }\n            encoding: { a: { headers: {} } }',
    'POST /vouchers.php: requestBody: encoding of a: headers is not supported',
    /^headers/,
  ],
  ...['204', '205', '304'].map((status): [string, string, string, string, RegExp] => [
    `content of a ${status}`,
    `{ $ref: '#/components/responses/SiteNotFound' }`,
    `{ description: d }\n        '${status}': { description: d, content: { text/plain: {} } }`,
    `POST /vouchers.php: ${status} has no body, so its content would never be sent`,
    /^content: /,
  ]),
  [
    'a form without fields',
    voucherOrder,
    'application/x-www-form-urlencoded:\n            schema: { type: string }',
    'POST /vouchers.php: requestBody: a form has fields, so its schema must be one of objects',
    /^schema: { type: string }/,
  ],
  ...(
    [
      ['of no field', '{ colour: {} }', 'colour: there is no such field', /^colour: {}/],
      ['with a header', '{ ids: { headers: {} } }', 'ids: headers is not supported', /^headers: {}/],
      [
        'with a style of objects for a list',
        '{ ids: { style: deepObject } }',
        'ids: style is "deepObject": one of form, spaceDelimited, pipeDelimited',
        /^deepObject/,
      ],
    ] as const
  ).map(([how, encoding, what, shown]): [string, string, string, string, RegExp] => [
    `an encoding ${how}`,
    voucherOrder,
    `application/x-www-form-urlencoded:
            schema: { type: object, properties: { ids: { type: array, items: { type: integer } } } }
            encoding: ${encoding}`,
    `POST /vouchers.php: requestBody: encoding of ${what}`,
    shown,
  ]),
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
    'a scheme with other scopes in another alternative',
    listSites,
    `${listSites}      security: [{ bearerAuth: [a] }, { apiKeyAuth: [], bearerAuth: [b] }]\n`,
    'bearerAuth has other scopes in another requirement of the same list',
    /^bearerAuth: \[b\]/,
  ],
  [
    'a security scheme that is not supported',
    'scheme: bearer',
    'scheme: digest',
    'components.securitySchemes.bearerAuth: scheme is "digest": bearer and basic are supported',
    /^digest/,
  ],
  [
    'two paths that match the same',
    '  /sites.php:',
    `  /a/{x}:\n${pathOperation('one', 'x')}  /a/{y}:\n${pathOperation('two', 'y')}  /sites.php:`,
    '/a/{y} matches the same paths as /a/{x}',
    /^\/a\/\{y\}:/,
  ],
  [
    'two parameters without a text between them',
    '  /sites.php:',
    `  /a/{x}{y}:\n${pathOperation('one', 'x')}  /sites.php:`,
    /^\/a\/\{x\}\{y\}: "\{x\}\{y\}": there must be a text between two parameters/,
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
  [
    'one of several media types of a request that is none',
    voucherOrder,
    `image/*: {}\n          ${voucherOrder}`,
    'POST /vouchers.php: requestBody: "image/*" is no media type',
    /^image/,
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
    /^\$ref "other\.yaml" leads to a file that is missing$/,
    /^other\.yaml/,
  ],
  [
    'a schema that begins again before any field',
    'name: { type: string, description: Name of the site }',
    `name: { type: string }\n      anyOf: [{ allOf: [{ $ref: '#/components/schemas/Site' }] }]`,
    'Site leads back to itself before any field or item',
    /^Site:/,
  ],
  [
    'a status that is none',
    `        '304': { $ref`,
    `        4xx: { $ref`,
    /"4xx" is no status of three digits, no range such as 4XX and not default/,
    /^4xx:/,
  ],
  [
    'an error for several statuses',
    `        '304': { $ref: '#/components/responses/NotModified' }`,
    `        4XX: { description: d, x-error: not_found }`,
    'GET /sites.php: x-error needs a status of three digits, not 4XX',
    /^not_found/,
  ],
  [
    'a media type that is none',
    "            application/json:\n              schema: { $ref: '#/components/schemas/SiteList' }",
    "            plain text:\n              schema: { $ref: '#/components/schemas/SiteList' }",
    'GET /sites.php: 200: "plain text" is no media type',
    /^plain text:$/,
  ],
]);
