import { expect } from '@jest/globals';
import { get, indent, ok, operation, parameters, refused, type Feature } from './feature.js';

/** What parameters may be. */
export const parameterFeatures: readonly Feature[] = [
  {
    row: 'parameters in a path',
    paths: `${get(
      '/vouchers/{code}',
      'one',
      parameters('{ name: code, in: path, required: true, schema: { type: string, maxLength: 8 } }'),
    )}
${get('/vouchers/latest', 'latest', '')}
${get(
  '/sites/{id}/vouchers/{code}.json',
  'nested',
  parameters(
    "{ name: id, in: path, required: true, schema: { type: integer, minimum: 1, x-message: 'Welche Site?' } }",
    '{ name: code, in: path, required: true, schema: { type: string } }',
  ),
)}
/lists/{ids}:
  parameters:
    - { name: ids, in: path, required: true, schema: { type: array, items: { type: integer } } }
  get:
${indent(operation('list', ''), 4)}`,
    handler: ({ input, reply }) => reply(200, input['path']),
    cases: [
      ['its value', ['GET', '/vouchers/4711'], ok({ code: '4711' })],
      ['percent-decoded', ['GET', '/vouchers/a%2Fb%20%C3%A4'], ok({ code: 'a/b ä' })],
      ['a text comes before a parameter', ['GET', '/vouchers/latest'], ok({})],
      ['is validated', ['GET', '/vouchers/123456789'], refused('code is invalid')],
      ['no percent-encoding', ['GET', '/vouchers/%E0%A4%A'], refused('code is invalid')],
      ['several, with text around them', ['GET', '/sites/7/vouchers/x.json'], ok({ id: 7, code: 'x' })],
      ['with their own messages', ['GET', '/sites/0/vouchers/x.json'], refused('Welche Site?')],
      ['converted like the query', ['GET', '/sites/abc/vouchers/x.json'], refused('Welche Site?')],
      ['a list', ['GET', '/lists/1,2,3'], ok({ ids: [1, 2, 3] })],
      ['never empty', ['GET', '/vouchers/'], { status: 404 }],
      ['and nothing behind it', ['GET', '/vouchers/1/2'], { status: 404 }],
      [
        'another method',
        ['DELETE', '/vouchers/1'],
        { status: 405, headers: expect.objectContaining({ allow: 'GET' }) },
      ],
    ],
  },
  {
    row: 'several parameters between two slashes',
    paths: `${get(
      '/ranges/{from}..{to}',
      'range',
      parameters(
        '{ name: from, in: path, required: true, schema: { type: integer } }',
        '{ name: to, in: path, required: true, schema: { type: integer, maximum: 99 } }',
      ),
    )}
${get('/ranges/{name}', 'named', parameters('{ name: name, in: path, required: true, schema: { type: string } }'))}
${get(
  '/files/v{major}.{minor}/{name}.{ext}',
  'file',
  parameters(
    '{ name: major, in: path, required: true, schema: { type: integer } }',
    '{ name: minor, in: path, required: true, schema: { type: integer } }',
    '{ name: name, in: path, required: true, schema: { type: string } }',
    '{ name: ext, in: path, required: true, schema: { type: string, maxLength: 4 } }',
  ),
)}`,
    handler: ({ input, reply }) => reply(200, input['path']),
    cases: [
      ['divided by the text between them', ['GET', '/ranges/3..17'], ok({ from: 3, to: 17 })],
      ['each is validated', ['GET', '/ranges/3..100'], refused('to is invalid')],
      ['each is converted', ['GET', '/ranges/a..17'], refused('from is invalid')],
      ['none is empty', ['GET', '/ranges/..17'], ok({ name: '..17' })],
      ['without the text another path may match', ['GET', '/ranges/3-17'], ok({ name: '3-17' })],
      ['or none', ['GET', '/files/v1/a.b'], { status: 404 }],
      [
        'the first is the longest',
        ['GET', '/files/v1.2/a.tar.gz'],
        ok({ major: 1, minor: 2, name: 'a.tar', ext: 'gz' }),
      ],
      [
        'percent-decoded after that',
        ['GET', '/files/v1.2/a%2Eb.gz'],
        ok({ major: 1, minor: 2, name: 'a.b', ext: 'gz' }),
      ],
      [
        'the last is never empty',
        ['GET', '/files/v1.2/a.b.'],
        ok({ major: 1, minor: 2, name: 'a', ext: 'b.' }),
      ],
    ],
  },
  {
    row: 'parameters of a path, for all its operations',
    paths: `/sites/{id}:
  parameters:
    - { name: id, in: path, required: true, schema: { type: integer } }
    - { name: full, in: query, schema: { type: boolean, default: false } }
  get:
${indent(operation('common', parameters('{ name: full, in: query, schema: { type: boolean, default: true } }')), 4)}
  put:
${indent(operation('commonPut', ''), 4)}`,
    handler: ({ input, reply }) => reply(200, [input['path'], input['query']]),
    cases: [
      ['its own comes first', ['GET', '/sites/1'], ok([{ id: 1 }, { full: true }])],
      ['or that of the path', ['PUT', '/sites/1'], ok([{ id: 1 }, { full: false }])],
    ],
  },
  {
    row: 'parameters in the query',
    paths: get(
      '/q',
      'query',
      parameters(
        '{ name: n, in: query, schema: { type: integer } }',
        '{ name: b, in: query, schema: { type: boolean } }',
        '{ name: f, in: query, schema: { type: number } }',
        "{ name: s, in: query, required: true, schema: { type: string, enum: [a, b], x-message: 's ist a oder b' } }",
      ),
    ),
    handler: ({ input, reply }) => reply(200, input['query']),
    cases: [
      ['in their types', ['GET', '/q?s=a&n=5&b=true&f=1.5'], ok({ s: 'a', n: 5, b: true, f: 1.5 })],
      ['unknown ones are left out', ['GET', '/q?s=b&x=1'], ok({ s: 'b' })],
      ['a wrong type', ['GET', '/q?s=a&n=five'], refused('n is invalid')],
      ['one that is missing', ['GET', '/q'], refused('s ist a oder b')],
      ['twice where one is wanted', ['GET', '/q?s=a&s=b'], refused('s ist a oder b')],
    ],
  },
  {
    row: 'lists in the query',
    paths: get(
      '/lists',
      'lists',
      parameters(
        '{ name: id, in: query, schema: { type: array, maxItems: 3, items: { type: integer } } }',
        '{ name: tag, in: query, explode: false, schema: { type: array, items: { type: string } } }',
        '{ name: sp, in: query, style: spaceDelimited, explode: false, schema: { type: array, items: { type: string } } }',
        '{ name: pi, in: query, style: pipeDelimited, explode: false, schema: { type: array, items: { type: string } } }',
      ),
    ),
    handler: ({ input, reply }) => reply(200, input['query']),
    cases: [
      ['explode: true', ['GET', '/lists?id=1&id=2'], ok({ id: [1, 2] })],
      ['of one', ['GET', '/lists?id=1'], ok({ id: [1] })],
      ['explode: false', ['GET', '/lists?tag=a,b'], ok({ tag: ['a', 'b'] })],
      ['an empty one', ['GET', '/lists?tag='], ok({ tag: [] })],
      ['spaceDelimited', ['GET', '/lists?sp=a%20b'], ok({ sp: ['a', 'b'] })],
      ['pipeDelimited', ['GET', '/lists?pi=a|b'], ok({ pi: ['a', 'b'] })],
      ['is validated', ['GET', '/lists?id=1&id=x'], refused('id is invalid')],
      ['as a whole', ['GET', '/lists?id=1&id=2&id=3&id=4'], refused('id is invalid')],
    ],
  },
  {
    row: 'headers',
    paths: get(
      '/h',
      'headers',
      parameters(
        '{ name: X-Count, in: header, required: true, schema: { type: integer } }',
        '{ name: X-Tags, in: header, schema: { type: array, items: { type: string } } }',
      ),
    ),
    handler: ({ input, reply }) => reply(200, input['header']),
    cases: [
      [
        'in their types, by their names',
        ['GET', '/h', { headers: { 'x-count': '5', 'X-TAGS': 'a, b' } }],
        ok({ 'X-Count': 5, 'X-Tags': ['a', 'b'] }),
      ],
      ['one that is missing', ['GET', '/h'], refused('X-Count is invalid')],
      ['a wrong type', ['GET', '/h', { headers: { 'X-Count': 'x' } }], refused('X-Count is invalid')],
    ],
  },
  {
    row: 'cookies',
    paths: get(
      '/c',
      'cookies',
      parameters(
        '{ name: theme, in: cookie, required: true, schema: { type: string, enum: [hell, dunkel] } }',
        '{ name: ids, in: cookie, explode: false, schema: { type: array, items: { type: integer } } }',
      ),
    ),
    handler: ({ input, reply }) => reply(200, input['cookie']),
    cases: [
      [
        'in their types',
        ['GET', '/c', { headers: { Cookie: 'a=b; theme="hell"; ids=1%2C2; theme=hell' } }],
        ok({ theme: 'hell', ids: [1, 2] }),
      ],
      ['one that is missing', ['GET', '/c'], refused('theme is invalid')],
      [
        'two of one name with different values, of which none counts',
        ['GET', '/c', { headers: { Cookie: 'theme=hell; theme=dunkel' } }],
        refused('theme is invalid'),
      ],
    ],
  },
];
