import { indent, ok, operation, parameters, type Feature } from './feature.js';

/** An operation whose errors have this media type, and no texts of their own. */
const byId = (type = 'application/json'): string => `/loans/{id}:
  get:
${indent(
  operation(
    'getLoan',
    parameters('{ name: id, in: path, required: true, schema: { type: integer } }'),
    `responses:
  '200': { description: d, content: { application/json: { schema: {} } } }
  '400': { description: d, x-error: invalid_request, content: { ${type}: { schema: {} } } }`,
  ),
  4,
)}`;

const loan: Feature['handler'] = ({ input, reply }) => reply(200, input['path']);

/** What holds for a whole service. */
export const serviceFeatures: readonly Feature[] = [
  {
    row: 'errors as problem details: `x-problem`',
    head: 'x-problem: https://example.org/problems/{code}',
    paths: byId('application/problem+json'),
    handler: loan,
    cases: [
      ['a good answer is as without it', ['GET', '/loans/7'], ok({ id: 7 })],
      [
        'an error is a problem',
        ['GET', '/loans/x'],
        {
          status: 400,
          body: {
            type: 'https://example.org/problems/invalid_request',
            title: 'Bad Request',
            status: 400,
            detail: 'id is invalid',
            instance: '/loans/x',
          },
        },
      ],
    ],
  },
  {
    row: 'texts of errors: `x-messages`',
    head: "x-messages: { field: '{field} ist falsch' }",
    paths: byId(),
    handler: loan,
    cases: [
      ['a good answer is as without them', ['GET', '/loans/7'], ok({ id: 7 })],
      [
        'an error has the text',
        ['GET', '/loans/x'],
        { status: 400, body: { error: 'invalid_request', message: 'id ist falsch' } },
      ],
    ],
  },
  {
    row: '`servers` with a path and variables',
    servers: "[{ url: '{origin}/v1', variables: { origin: { default: 'http://localhost' } } }]",
    basePath: '/v1',
    paths: byId(),
    handler: loan,
    cases: [['operations are below the path', ['GET', '/loans/7'], ok({ id: 7 })]],
  },
];
