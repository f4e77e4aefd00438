import { get, indent, ok, operation, parameters, type Feature } from './feature.js';

const responses = (more: string): string => `
responses:
  '200':
    description: d
    content: { application/json: { schema: {} } }
${indent(more, 4)}
  '401': { description: d, x-error: unauthorized, x-message: nein, content: { application/json: { schema: {} } } }
`;

const sent = (name: string): string => `
${name}:
  post:
    requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Event' } } } }
    responses: { '204': { description: d } }`;

const components = `schemas:
  Event: { type: object, required: [id], properties: { id: { type: integer }, note: { type: string } } }`;

/** What leads from one message to another. */
export const linkFeature: Feature = {
  row: '`links`',
  paths: `${get('/tasks/{id}', 'task', parameters('{ name: id, in: path, required: true, schema: { type: integer } }'))}
/tasks:
  post:
${indent(
  operation(
    'addTask',
    '',
    responses(`links:
  task: { operationId: task, parameters: { id: '$response.body#/id' } }
  same: { operationRef: '#/paths/~1tasks~1{id}/get', parameters: { path.id: '$response.header.X-Id' } }`),
  ),
  4,
)}`,
  handler: ({ reply }) => reply(200, { id: 7 }),
  cases: [['the operations are as without them', ['POST', '/tasks'], ok({ id: 7 })]],
};

export const callbackFeature: Feature = {
  row: '`callbacks`',
  paths: `/tasks:
  post:
${indent(operation('watch', `callbacks:\n  done:${indent(sent("'{$request.query.url}'"), 4).replace(/^ */, '\n    ')}`), 4)}`,
  components,
  handler: ({ reply }) => reply(200, { ok: true }),
  cases: [['the operation is as without them', ['POST', '/tasks'], ok({ ok: true })]],
};

export const webhookFeature: Feature = {
  row: 'OpenAPI 3.1: `webhooks`',
  openapi: '3.1.0',
  head: `webhooks:\n${indent(sent('done'), 2)}`,
  paths: get('/tasks', 'list', ''),
  components,
  handler: ({ reply }) => reply(200, { ok: true }),
  cases: [['operations are as without them', ['GET', '/tasks'], ok({ ok: true })]],
};
