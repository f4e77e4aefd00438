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
    row: 'objects in the query',
    paths: `${get(
      '/d',
      'deep',
      parameters(
        '{ name: filter, in: query, style: deepObject, explode: true, schema: { type: object, required: [price], properties: { price: { type: integer, minimum: 1, x-message: Welcher Preis? }, open: { type: boolean }, tags: { type: array, maxItems: 2, items: { type: string } }, size: { type: string } } } }',
        '{ name: closed, in: query, style: deepObject, schema: { type: object, additionalProperties: false, properties: { a: { type: integer } } } }',
        '{ name: any, in: query, style: deepObject, schema: { type: object, properties: { a: { type: string } }, additionalProperties: { type: integer } } }',
      ),
    )}
${get(
  '/own',
  'own',
  parameters(
    '{ name: page, in: query, schema: { type: object, properties: { limit: { type: integer, maximum: 9 }, sort: { type: array, items: { type: string } } } } }',
    '{ name: range, in: query, explode: false, schema: { type: object, properties: { from: { type: integer }, to: { type: integer } } } }',
    '{ name: other, in: query, schema: { type: string } }',
  ),
)}
${get(
  '/must',
  'must',
  parameters(
    '{ name: filter, in: query, required: true, style: deepObject, schema: { type: object, properties: { a: { type: integer } } } }',
  ),
)}`,
    handler: ({ input, reply }) => reply(200, input['query']),
    cases: [
      [
        'deepObject, in their types',
        ['GET', '/d?filter[price]=5&filter%5Btags%5D=a&filter[tags]=b&filter[open]=true&filter[size]=7'],
        ok({ filter: { price: 5, tags: ['a', 'b'], open: true, size: '7' } }),
      ],
      [
        'a list of one',
        ['GET', '/d?filter[price]=5&filter[tags]=a'],
        ok({ filter: { price: 5, tags: ['a'] } }),
      ],
      ['nothing of it', ['GET', '/d'], ok({})],
      ['its message', ['GET', '/d?filter[price]=0'], refused('Welcher Preis?')],
      ['another type', ['GET', '/d?filter[price]=5x'], refused('Welcher Preis?')],
      ['a missing field', ['GET', '/d?filter[size]=x'], refused('Welcher Preis?')],
      [
        'a field without a message',
        ['GET', '/d?filter[price]=1&filter[open]=x'],
        refused('filter[open] is invalid'),
      ],
      [
        'a list that is too long',
        ['GET', '/d?filter[price]=1&filter[tags]=a&filter[tags]=b&filter[tags]=c'],
        refused('filter[tags] is invalid'),
      ],
      ['twice where one is wanted', ['GET', '/d?filter[price]=1&filter[price]=2'], refused('Welcher Preis?')],
      [
        'unknown fields are left out',
        ['GET', '/d?filter[price]=1&filter[other]=2&filter[]=3&filter[a][b]=4'],
        { ...ok({ filter: { price: 1 } }), text: '{"filter":{"price":1}}' },
      ],
      ['or refused', ['GET', '/d?closed[a]=1&closed[b]=2'], refused('closed is invalid')],
      ['or read by their schema', ['GET', '/d?any[a]=1&any[b]=2'], ok({ any: { a: '1', b: 2 } })],
      ['which may refuse them', ['GET', '/d?any[b]=x'], refused('any is invalid')],
      [
        'a name that objects have by themselves',
        ['GET', '/d?any[__proto__]=2'],
        { status: 200, text: '{"any":{"__proto__":2}}' },
      ],
      [
        'and where it is unknown',
        ['GET', '/d?filter[price]=1&filter[__proto__]=2&filter[constructor]=3'],
        { status: 200, text: '{"filter":{"price":1}}' },
      ],
      [
        '8 KiB of a name',
        ['GET', `/d?filter[price]=1&any[${'x'.repeat(8_000)}]=y`],
        refused('any is invalid'),
      ],
      ['a required one', ['GET', '/must?filter[a]=1'], ok({ filter: { a: 1 } })],
      ['that is missing', ['GET', '/must?filter=1'], refused('filter is invalid')],
      [
        'fields as parameters of their own',
        ['GET', '/own?limit=5&sort=a&sort=b&other=x'],
        ok({ page: { limit: 5, sort: ['a', 'b'] }, other: 'x' }),
      ],
      ['that are wrong', ['GET', '/own?limit=10'], refused('limit is invalid')],
      ['explode: false', ['GET', '/own?range=from,1,to,2'], ok({ range: { from: 1, to: 2 } })],
      ['with a wrong value', ['GET', '/own?range=from,1,to,x'], refused('to is invalid')],
      ['with a name alone', ['GET', '/own?range=from,1,to'], refused('range is invalid')],
      ['with a name twice', ['GET', '/own?range=from,1,from,2'], refused('range is invalid')],
    ],
  },
  {
    row: 'objects in paths, headers and cookies',
    paths: get(
      '/o/{point}/{size}',
      'objects',
      parameters(
        '{ name: point, in: path, required: true, schema: { type: object, required: [x], properties: { x: { type: integer }, y: { type: integer } } } }',
        '{ name: size, in: path, required: true, explode: true, schema: { type: object, additionalProperties: { type: integer } } }',
        '{ name: X-Range, in: header, schema: { type: object, properties: { from: { type: integer, x-message: Ab wann? } } } }',
        '{ name: view, in: cookie, explode: false, schema: { type: object, properties: { dark: { type: boolean } } } }',
      ),
    ),
    handler: ({ input: { path, header, cookie }, reply }) => reply(200, { path, header, cookie }),
    cases: [
      [
        'in their types',
        ['GET', '/o/x,1,y,2/a=3,b=4', { headers: { 'X-Range': 'from, 5', Cookie: 'view=dark%2Ctrue' } }],
        ok({
          path: { point: { x: 1, y: 2 }, size: { a: 3, b: 4 } },
          header: { 'X-Range': { from: 5 } },
          cookie: { view: { dark: true } },
        }),
      ],
      [
        'percent-decoded one by one',
        ['GET', '/o/x,1/a%2C=3'],
        ok({ path: { point: { x: 1 }, size: { 'a,': 3 } } }),
      ],
      ['a missing field', ['GET', '/o/y,1/a=3'], refused('x is invalid')],
      ['no assignment', ['GET', '/o/x,1/a'], refused('size is invalid')],
      ['no percent-encoding', ['GET', '/o/x,1/%E0%A4%A=1'], refused('size is invalid')],
      ['a message', ['GET', '/o/x,1/a=3', { headers: { 'X-Range': 'from,x' } }], refused('Ab wann?')],
      [
        'a wrong value in a cookie',
        ['GET', '/o/x,1/a=3', { headers: { Cookie: 'view=dark%2C5' } }],
        refused('dark is invalid'),
      ],
      [
        'a name that objects have by themselves',
        ['GET', '/o/x,1/__proto__=3'],
        { status: 200, text: expect.stringContaining('"size":{"__proto__":3}') as unknown as string },
      ],
    ],
  },
  {
    row: 'parameters with `content`',
    paths: get(
      '/j',
      'json',
      parameters(
        '{ name: where, in: query, content: { application/json: { schema: { type: object, required: [age], properties: { age: { type: integer, minimum: 1, x-message: Wie alt? }, in: { type: array, items: { type: string } }, deep: { type: object, properties: { a: { type: boolean } } } } } } } }',
        '{ name: X-Trace, in: header, content: { application/vnd.trace+json: { schema: { type: object, additionalProperties: true } } } }',
      ),
    ),
    handler: ({ input: { query, header }, reply }) => reply(200, { query, header }),
    cases: [
      [
        'JSON, in its types',
        [
          'GET',
          `/j?where=${encodeURIComponent('{"age":5,"in":["a"],"deep":{"a":true},"x":1}')}`,
          { headers: { 'X-Trace': '{"id":7}' } },
        ],
        ok({ query: { where: { age: 5, in: ['a'], deep: { a: true } } }, header: { 'X-Trace': { id: 7 } } }),
      ],
      ['none of it', ['GET', '/j'], ok({ query: {} })],
      ['no JSON', ['GET', '/j?where=age'], refused('where is invalid')],
      [
        'twice',
        ['GET', '/j?where=%7B%22age%22%3A1%7D&where=%7B%22age%22%3A1%7D'],
        refused('where is invalid'),
      ],
      ['with its messages', ['GET', `/j?where=${encodeURIComponent('{"age":0}')}`], refused('Wie alt?')],
      ['a text is no number', ['GET', `/j?where=${encodeURIComponent('{"age":"5"}')}`], refused('Wie alt?')],
      [
        'of another type below',
        ['GET', `/j?where=${encodeURIComponent('{"age":5,"deep":{"a":"true"}}')}`],
        refused('a is invalid'),
      ],
      [
        'half a surrogate pair',
        ['GET', `/j?where=${encodeURIComponent('{"age":5,"in":["\\ud800"]}')}`],
        refused('in is invalid'),
      ],
      [
        'nested deeply',
        ['GET', `/j?where=${'['.repeat(5_000)}${']'.repeat(5_000)}`],
        refused('where is invalid'),
      ],
      [
        'a header that is no JSON',
        ['GET', '/j', { headers: { 'X-Trace': 'id=7' } }],
        refused('X-Trace is invalid'),
      ],
      [
        'a name that objects have by themselves',
        ['GET', '/j', { headers: { 'X-Trace': '{"__proto__":1}' } }],
        { status: 200, text: expect.stringContaining('{"__proto__":1}') as unknown as string },
      ],
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
