import { indent, ok, operation, refused, type Feature } from './feature.js';

const user = `schemas:
  User:
    type: object
    required: [id, name, password]
    properties:
      id: { type: integer, readOnly: true }
      created: { type: string, readOnly: true, x-message: { readOnly: Das steht fest } }
      name: { type: string }
      password: { type: string, writeOnly: true }
      friends: { type: array, items: { $ref: '#/components/schemas/User' } }
  Extended:
    allOf:
      - $ref: '#/components/schemas/User'
      - type: object
        required: [id, password, note]
        properties: { note: { type: string } }`;

const write = (path: string, id: string, schema: string): string => `${path}:
  post:
${indent(
  operation(
    id,
    `requestBody:
  required: true
  x-max-bytes: 65536
  content: { application/json: { schema: { $ref: '#/components/schemas/${schema}' } } }`,
    `responses:
  '200': { description: d, content: { application/json: { schema: { $ref: '#/components/schemas/${schema}' } } } }
  '400': { description: d, x-error: invalid_request, x-message: '{message}', content: { application/json: { schema: {} } } }
  '413': { description: d, x-error: payload_too_large, x-message: '{limit}', content: { application/json: { schema: {} } } }`,
  ),
  4,
)}`;

/** Fields that only requests or only responses have. */
const directionFeature = (row: string, openapi: string): Feature => ({
  row,
  openapi,
  components: user,
  paths: `${write('/users', 'createUser', 'User')}\n${write('/extended', 'createExtended', 'Extended')}`,
  handler: ({ input, reply }) => {
    const { password: _password, friends: _friends, ...sent } = input['body'] as Record<string, unknown>;
    return reply(200, { ...sent, id: 7 });
  },
  cases: [
    [
      'required counts in one direction only',
      ['POST', '/users', { body: { name: 'A', password: 'x' } }],
      ok({ name: 'A', id: 7 }),
    ],
    [
      'a field that is only read is refused',
      ['POST', '/users', { body: { id: 1, name: 'A', password: 'x' } }],
      refused('id must not be sent'),
    ],
    [
      'with a message of its own',
      ['POST', '/users', { body: { created: 'x', name: 'A', password: 'x' } }],
      refused('Das steht fest'),
    ],
    [
      'what is only written is required',
      ['POST', '/users', { body: { name: 'A' } }],
      refused('password is invalid'),
    ],
    [
      'also where a schema begins again',
      [
        'POST',
        '/users',
        { body: { name: 'A', password: 'x', friends: [{ name: 'B', password: 'x', id: 1 }] } },
      ],
      refused('id must not be sent'),
    ],
    [
      'also of another part of allOf',
      ['POST', '/extended', { body: { name: 'A', password: 'x', note: 'n' } }],
      ok({ name: 'A', id: 7, note: 'n' }),
    ],
    [
      'refused there, too',
      ['POST', '/extended', { body: { id: 1, name: 'A', password: 'x', note: 'n' } }],
      refused('id must not be sent'),
    ],
  ],
});

export const directionFeatures = [directionFeature('`readOnly`, `writeOnly`', '3.0.3')];
export const directionFeatures31 = [directionFeature('OpenAPI 3.1: `readOnly`, `writeOnly`', '3.1.0')];
