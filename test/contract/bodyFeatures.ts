import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import { indent, ok, operation, parameters, refused, type Feature } from './feature.js';

/** What bodies may be besides JSON. */
export const bodyFeatures: readonly Feature[] = [
  {
    row: 'responses without a body',
    paths: `/gone:\n  delete:\n${indent(operation('gone', '', "responses:\n  '204': { description: d }"), 4)}`,
    handler: ({ reply }) => reply(204),
    cases: [['`reply(204)`', ['DELETE', '/gone'], { status: 204, text: '' }]],
  },
  {
    row: 'responses that are not JSON',
    paths: `/csv:
  get:
${indent(operation('csv', parameters('{ name: as, in: query, schema: { type: string } }'), "responses:\n  '200': { description: d, content: { text/csv: {}, application/pdf: {} } }"), 4)}
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
    row: 'request bodies that are not JSON',
    paths: `/upload:\n  post:\n${indent(operation('upload', 'requestBody: { required: true, x-max-bytes: 10, content: { text/csv: {} } }'), 4)}`,
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
        refused('Content-Type must be text/csv'),
      ],
      [
        'too large',
        ['POST', '/upload', { body: '12345678901', headers: { 'Content-Type': 'text/csv' } }],
        { status: 413 },
      ],
    ],
  },
];
