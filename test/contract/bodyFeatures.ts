import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import { indent, ok, operation, parameters, refused, responsesWith415, type Feature } from './feature.js';

const mergePatch = { 'Content-Type': 'application/merge-patch+json' };

const patch = `/site:
  patch:
${indent(
  operation(
    'patchSite',
    `requestBody:
  required: true
  x-max-bytes: 65536
  content:
    application/merge-patch+json:
      schema:
        type: object
        properties:
          name: { type: string, nullable: true, x-trim: true, minLength: 1, x-message: name fehlt }
          id: { type: integer, x-lenient: true }`,
  ),
  4,
)}`;

const acceptResponses = `responses:
  '200':
    description: d
    content:
      application/json: { schema: { type: object } }
      text/csv: { example: 'a;b' }
      application/vnd.list+json: { schema: { type: object }, example: {} }
  '400': { description: d, x-error: invalid_request, x-message: '{message}', content: { application/json: { schema: {} } } }
  '406': { description: d, x-error: not_acceptable, content: { application/json: { schema: {} } } }`;
const oneAccepted = `responses:
  '200': { description: d, content: { application/json: { schema: {} } } }
  '406': { description: d, x-error: not_acceptable, x-message: 'nur {media}', content: { application/json: { schema: {} } } }`;

/** What a client accepts, and what it gets. */
const accepted: readonly (readonly [what: string, accept: string | string[] | undefined, type: string])[] = [
  ['nothing', undefined, 'application/json'],
  ['everything', '*/*', 'application/json'],
  ['the second', 'text/csv', 'text/csv'],
  ['another JSON', 'application/vnd.list+json', 'application/vnd.list+json'],
  ['several, the first of which counts', 'text/csv, application/json', 'text/csv'],
  ['several by their qualities', 'text/csv;q=0.5, application/json; q=0.8', 'application/json'],
  ['a range', 'text/*', 'text/csv'],
  ['something unknown or anything', 'image/png, */*;q=0.1', 'application/json'],
  ['anything but the first', '*/*, application/json;q=0', 'text/csv'],
  ['one more specific than the others', '*/*;q=0.9, text/*;q=0.2, text/csv;q=1', 'text/csv'],
  ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
  ['a charset', 'TEXT/CSV; charset="UTF-8"', 'text/csv'],
  ['nothing valid', 'x, *, ;;, text/csv;q=high', 'application/json'],
  ['an empty header', '', 'application/json'],
  ['two headers', ['image/png', 'text/csv'], 'text/csv'],
  ['8 KiB of ranges', `${'a/b,'.repeat(2_000)}text/csv`, 'text/csv'],
];

/** What bodies may be besides JSON. */
export const bodyFeatures: readonly Feature[] = [
  {
    row: 'responses without a body',
    paths: `/gone:
  delete:
${indent(operation('gone', '', "responses:\n  '204': { description: d }"), 4)}
/accepted:
  post:
${indent(operation('accepted', '', "responses:\n  '202': { description: d }"), 4)}
/known:
  get:
${indent(operation('known', '', "responses:\n  '304': { description: d }"), 4)}
  head:
${indent(operation('exists', '', "responses:\n  '200': { description: d, headers: { X-Count: { schema: { type: integer }, example: 3 } } }"), 4)}`,
    handler: ({ operationId, reply }) =>
      operationId === 'exists'
        ? reply(200, undefined, { 'X-Count': '3' })
        : reply({ gone: 204, accepted: 202, known: 304 }[operationId] ?? 500),
    cases: [
      ['`reply(204)`', ['DELETE', '/gone'], { status: 204, text: '' }],
      ['`reply(202)`', ['POST', '/accepted'], { status: 202, text: '' }],
      ['`reply(304)`', ['GET', '/known'], { status: 304, text: '' }],
      [
        'HEAD',
        ['HEAD', '/known'],
        { status: 200, text: '', headers: expect.objectContaining({ 'x-count': '3' }) },
      ],
    ],
  },
  {
    row: 'responses that are not JSON',
    paths: `/csv:
  get:
${indent(operation('csv', parameters('{ name: as, in: query, schema: { type: string } }'), "responses:\n  '200': { description: d, content: { text/csv: {}, application/pdf: {} } }\n  '400': { description: d, x-error: invalid_request, content: { application/json: { schema: {} } } }"), 4)}
/events:
  get:
${indent(operation('events', '', "responses:\n  '200': { description: d, content: { text/event-stream: {} } }"), 4)}`,
    handler: ({ input, reply }) => {
      const { as } = input['query'] as { as?: string };
      if (as === undefined) return reply(200, Readable.from(['data: 1\n\n', 'data: 2\n\n']));
      return reply(200, as === 'csv' ? Readable.from(['a;b\n', '1;2\n']) : Buffer.from('%PDF'), {
        'Content-Type': as === 'csv' ? 'text/csv; charset=utf-8' : 'application/pdf',
      });
    },
    cases: [
      [
        'a stream, one of several media types',
        ['GET', '/csv?as=csv'],
        {
          status: 200,
          text: 'a;b\n1;2\n',
          headers: expect.objectContaining({ 'content-type': 'text/csv; charset=utf-8' }),
        },
      ],
      [
        'bytes',
        ['GET', '/csv?as=pdf'],
        {
          status: 200,
          text: '%PDF',
          headers: expect.objectContaining({ 'content-type': 'application/pdf', 'content-length': '4' }),
        },
      ],
      [
        'the only media type is chosen by itself',
        ['GET', '/events'],
        {
          status: 200,
          text: 'data: 1\n\ndata: 2\n\n',
          headers: expect.objectContaining({ 'content-type': 'text/event-stream' }),
        },
      ],
    ],
  },
  {
    row: '`Accept`',
    paths: `/list:
  get:
${indent(operation('list', parameters('{ name: as, in: query, schema: { type: integer } }'), acceptResponses), 4)}
/one:
  get:
${indent(operation('one', '', oneAccepted), 4)}
/any:
  get:
${indent(operation('any', '', "responses:\n  '200': { description: d, content: { application/json: { schema: {} } } }"), 4)}`,
    handler: ({ input, reply }) => {
      const { accept } = input as { accept: string };
      return reply(200, accept === 'text/csv' ? Readable.from(['a;b']) : { accept });
    },
    cases: [
      ...accepted.map(([what, accept, type]): Feature['cases'][number] => [
        `accepts ${what}`,
        ['GET', '/list', accept === undefined ? {} : { headers: { Accept: accept } }],
        {
          status: 200,
          headers: expect.objectContaining({
            'content-type': expect.stringContaining(type),
            vary: 'Accept',
          }),
        },
      ]),
      ...['image/png', 'text/csv;q=0, application/xml', '*/*;q=0'].map((accept): Feature['cases'][number] => [
        `accepts only ${accept}`,
        ['GET', '/list?as=x', { headers: { Accept: accept } }],
        {
          status: 406,
          body: {
            error: 'not_acceptable',
            message: 'Accept must allow application/json, text/csv, application/vnd.list+json',
          },
        },
      ]),
      [
        'errors have their own media type',
        ['GET', '/list?as=x', { headers: { Accept: 'text/csv' } }],
        { status: 400, headers: expect.objectContaining({ 'content-type': expect.stringMatching(/json/) }) },
      ],
      [
        'with 406 in the contract, its text',
        ['GET', '/one', { headers: { Accept: 'text/html' } }],
        { status: 406, body: { error: 'not_acceptable', message: 'nur application/json' } },
      ],
      [
        'with a single media type it does not matter',
        ['GET', '/any', { headers: { Accept: 'text/html' } }],
        { status: 200 },
      ],
    ],
  },
  {
    row: 'responses of `+json` media types',
    paths: `/problem:
  get:
${indent(
  operation(
    'problem',
    parameters('{ name: as, in: query, required: true, schema: { type: string } }'),
    `responses:
  '200':
    description: d
    content:
      application/json: { schema: { type: object, properties: { plain: { type: boolean } }, additionalProperties: false } }
      application/vnd.example+json: { schema: { type: object, required: [vendor] } }
  '400':
    description: d
    x-error: invalid_request
    x-message: '{message}'
    content: { application/problem+json: { schema: { type: object } } }
  '404': { description: d, content: { application/problem+json: { schema: { type: object, required: [title] } } } }`,
  ),
  4,
)}`,
    handler: ({ input, reply }) => {
      const { as } = input['query'] as { as: string };
      if (as === 'error') return reply(404, { title: 'Not found' });
      return as === 'vendor'
        ? reply(200, { vendor: 1 }, { 'Content-Type': 'application/vnd.example+json' })
        : reply(200, { plain: true });
    },
    cases: [
      [
        'have their media type',
        ['GET', '/problem?as=error'],
        {
          status: 404,
          body: { title: 'Not found' },
          headers: expect.objectContaining({ 'content-type': 'application/problem+json' }),
        },
      ],
      [
        'the first is the default',
        ['GET', '/problem?as=plain'],
        {
          status: 200,
          body: { plain: true },
          headers: expect.objectContaining({ 'content-type': 'application/json; charset=utf-8' }),
        },
      ],
      [
        'the handler may choose another',
        ['GET', '/problem?as=vendor'],
        {
          status: 200,
          body: { vendor: 1 },
          headers: expect.objectContaining({ 'content-type': 'application/vnd.example+json' }),
        },
      ],
      [
        'errors of the service have it, too',
        ['GET', '/problem'],
        {
          status: 400,
          body: { error: 'invalid_request', message: 'as is invalid' },
          headers: expect.objectContaining({ 'content-type': 'application/problem+json' }),
        },
      ],
    ],
  },
  {
    row: 'request bodies of `+json` media types',
    paths: patch,
    handler: ({ input, reply }) => reply(200, { type: input['mediaType'], body: input['body'] }),
    cases: [
      [
        'as JSON is, with its conversions',
        ['PATCH', '/site', { body: '{"name":" x ","id":"7"}', headers: mergePatch }],
        ok({ type: 'application/merge-patch+json', body: { name: 'x', id: 7 } }),
      ],
      [
        'null stays null, which removes a member (RFC 7396)',
        ['PATCH', '/site', { body: '{"name":null}', headers: mergePatch }],
        ok({ type: 'application/merge-patch+json', body: { name: null } }),
      ],
      [
        'a field that does not fit',
        ['PATCH', '/site', { body: '{"name":""}', headers: mergePatch }],
        refused('name fehlt'),
      ],
      ['no JSON', ['PATCH', '/site', { body: '{', headers: mergePatch }], { status: 400 }],
    ],
  },
  {
    row: 'several media types of a request',
    paths: `/import:
  post:
${indent(
  operation(
    'import',
    `requestBody:
  required: true
  x-max-bytes: 100
  content:
    application/json: { schema: { type: object, required: [id], properties: { id: { type: integer, x-message: id fehlt } } } }
    application/vnd.list+json: { schema: { type: array, items: { type: integer }, minItems: 1, x-message: leer } }
    text/csv: {}`,
    responsesWith415,
  ),
  4,
)}`,
    handler: async ({ input, reply }) => {
      const { mediaType, body } = input;
      return reply(200, { mediaType, body: body instanceof Readable ? await text(body) : body });
    },
    cases: [
      [
        'Content-Type decides',
        ['POST', '/import', { body: '{"id":1}', headers: { 'Content-Type': 'application/json' } }],
        ok({ mediaType: 'application/json', body: { id: 1 } }),
      ],
      [
        'each has its schema',
        ['POST', '/import', { body: '[1]', headers: { 'Content-Type': 'application/vnd.list+json; v=1' } }],
        ok({ mediaType: 'application/vnd.list+json', body: [1] }),
      ],
      [
        'and its messages',
        ['POST', '/import', { body: '{}', headers: { 'Content-Type': 'Application/JSON' } }],
        refused('id fehlt'),
      ],
      [
        'one may be a stream',
        ['POST', '/import', { body: 'a;b', headers: { 'Content-Type': 'text/csv' } }],
        ok({ mediaType: 'text/csv', body: 'a;b' }),
      ],
      [
        'any other gets 415',
        ['POST', '/import', { body: '<a/>', headers: { 'Content-Type': 'application/xml' } }],
        {
          status: 415,
          body: {
            error: 'unsupported_media_type',
            message: 'Content-Type must be application/json, application/vnd.list+json, text/csv',
          },
        },
      ],
      ['no body', ['POST', '/import'], { status: 400 }],
    ],
  },
  {
    row: 'request bodies that are not JSON',
    paths: `/upload:\n  post:\n${indent(operation('upload', 'requestBody: { required: true, x-max-bytes: 10, content: { text/csv: {} } }', responsesWith415), 4)}`,
    handler: async ({ input, reply }) => reply(200, { read: await text(input['body'] as Readable) }),
    cases: [
      [
        'a stream',
        ['POST', '/upload', { body: 'a;b', headers: { 'Content-Type': 'text/csv; charset=utf-8' } }],
        ok({ read: 'a;b' }),
      ],
      [
        'another media type',
        ['POST', '/upload', { body: 'a;b', headers: { 'Content-Type': 'text/plain' } }],
        { status: 415, body: { error: 'unsupported_media_type', message: 'Content-Type must be text/csv' } },
      ],
      [
        'too large',
        ['POST', '/upload', { body: '12345678901', headers: { 'Content-Type': 'text/csv' } }],
        { status: 413 },
      ],
    ],
  },
];
