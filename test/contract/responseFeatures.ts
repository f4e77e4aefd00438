import { indent, ok, operation, parameters, type Feature } from './feature.js';

/** What the responses of an operation may be. */
export const responseFeatures: readonly Feature[] = [
  {
    row: 'statuses `default` and `4XX`',
    paths: `/statuses:
  get:
${indent(
  operation(
    'statuses',
    parameters(
      '{ name: status, in: query, schema: { type: integer, enum: [200, 404, 409, 502], default: 200 } }',
    ),
    `responses:
  '200': { description: d, content: { application/json: { schema: { type: object, required: [ok], properties: { ok: { type: boolean } } } } } }
  '400': { description: d, x-error: invalid_request, content: { application/json: { schema: {} } } }
  '404': { description: d, content: { application/json: { schema: { type: object, required: [missing], properties: { missing: { type: string } } } } } }
  4XX: { description: d, content: { application/json: { schema: { type: object, required: [refused], properties: { refused: { type: string } } } } } }
  default: { description: d, content: { application/json: { schema: { type: object, required: [failed], properties: { failed: { type: string } } } } } }`,
  ),
  4,
)}`,
    handler: ({ input, reply }) => {
      const { status } = input['query'] as { status: number };
      const bodies: Record<number, unknown> = {
        200: { ok: true },
        404: { missing: 'x' },
        409: { refused: 'x' },
        502: { failed: 'x' },
      };
      return reply(status, bodies[status]);
    },
    cases: [
      ['a status of three digits', ['GET', '/statuses'], ok({ ok: true })],
      [
        'takes precedence over its range',
        ['GET', '/statuses?status=404'],
        { status: 404, body: { missing: 'x' } },
      ],
      ['any other of the range', ['GET', '/statuses?status=409'], { status: 409, body: { refused: 'x' } }],
      ['and any other at all', ['GET', '/statuses?status=502'], { status: 502, body: { failed: 'x' } }],
    ],
  },
];
