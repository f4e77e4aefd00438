import { ok, post, refused, type Feature } from './feature.js';

/** A tree of comments, as each version of OpenAPI writes it. */
export const comment = `Comment:
  type: object
  required: [text]
  properties:
    text: { type: string, x-trim: true, minLength: 1, x-message: Welcher Text? }
    likes: { type: integer, x-lenient: true }
    replies: { type: array, items: { $ref: '#/components/schemas/Comment' } }
    parent: { $ref: '#/components/schemas/Comment' }`;

const nested = (depth: number): unknown => {
  let body: unknown = { text: 'a' };
  for (let level = 0; level < depth; level += 1) body = { text: 'a', parent: body };
  return body;
};

const cases: Feature['cases'] = [
  [
    'converted at every level',
    [
      'POST',
      '/c',
      { body: { text: ' a ', replies: [{ text: ' b ', likes: '5', replies: [{ text: ' c ', other: 1 }] }] } },
    ],
    ok({ text: 'a', replies: [{ text: 'b', likes: 5, replies: [{ text: 'c' }] }] }),
  ],
  ['the first level', ['POST', '/c', { body: { text: '' } }], refused('Welcher Text?')],
  [
    'a level below, with its message',
    ['POST', '/c', { body: { text: 'a', replies: [{ text: 'b', replies: [{ text: ' ' }] }] } }],
    refused('Welcher Text?'),
  ],
  [
    'a missing field below',
    ['POST', '/c', { body: { text: 'a', parent: { text: 'b', parent: {} } } }],
    refused('Welcher Text?'),
  ],
  [
    'another type below',
    ['POST', '/c', { body: { text: 'a', replies: [{ text: 'b', replies: 5 }] } }],
    refused('replies is invalid'),
  ],
  ['a hundred levels', ['POST', '/c', { body: nested(100) }], ok(nested(100))],
  ['too many levels', ['POST', '/c', { body: nested(2_000) }], refused('The request is invalid')],
];

const feature = (openapi: string): Feature => ({
  row: openapi === '3.0.3' ? 'recursive schemas' : 'OpenAPI 3.1: recursive schemas',
  openapi,
  paths: post(
    '/c',
    openapi === '3.0.3' ? 'comment' : 'comment31',
    "$ref: '#/components/schemas/Comment'",
  ).replace(
    'content: { application/json: { schema: {} } }',
    "content: { application/json: { schema: { $ref: '#/components/schemas/Comment' } } }",
  ),
  components: `schemas:\n${comment.replaceAll(/^/gm, '  ')}`,
  handler: ({ input, reply }) => reply(200, input['body']),
  cases,
});

export const recursiveFeature = feature('3.0.3');
export const recursiveFeature31 = feature('3.1.0');
